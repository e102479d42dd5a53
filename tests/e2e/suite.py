#!/usr/bin/env python3
"""Runs the tests inside the cluster's network; started by e2e.py. The first installs the chart as a newcomer would, the
last upgrades and removes it; those between need it installed and nothing of each other."""
import sys
import time
import unittest

import diagnosis

ORDER = ["newcomer_test", "observed_test", "result_test", "claim_test", "scheduling_test", "recovery_test",
         "bad_input_test", "lifecycle_test"]


class Result(unittest.TextTestResult):
    """Says how long each test took, and keeps the cluster's state at the moment of a failure."""

    def startTest(self, test):
        self.began = time.monotonic()
        super().startTest(test)

    def stopTest(self, test):
        self.stream.writeln(f"    {time.monotonic() - self.began:.0f} s")
        super().stopTest(test)

    def addFailure(self, test, err):
        diagnosis.write(test.id(), self.stream)
        super().addFailure(test, err)

    def addError(self, test, err):
        diagnosis.write(test.id(), self.stream)
        super().addError(test, err)


def main():
    suite = unittest.defaultTestLoader.loadTestsFromNames(sys.argv[1:] or ORDER)
    runner = unittest.TextTestRunner(verbosity=2, resultclass=Result)
    return 0 if runner.run(suite).wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
