"""What the README tells a newcomer with a cluster to type, typed as it stands there. Leaves the chart installed."""
import os
import subprocess
import unittest

import kube
import readme

RUN, NAMESPACE = "generated-photos", "default"


class Watch:
    """A command that shows changes until it is stopped; what it shows is kept."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            ["bash", "-c", f"exec {command}"], cwd=kube.ROOT, env={**os.environ, **kube.IMAGES},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def stop(self):
        self.process.terminate()
        return self.process.communicate()[0].splitlines()


def is_watch(command):
    return "--watch" in command or " -w" in command


class Newcomer(unittest.TestCase):
    def test_the_readmes_commands_do_what_it_says(self):
        kube.make_namespace(kube.SYSTEM)  # with the restricted profile, which the README leaves to the reader
        watches = []
        for command in readme.commands():
            if is_watch(command):
                watches.append(Watch(command))
                self.addCleanup(watches[-1].process.kill)
            else:
                kube.execute("bash", "-euo", "pipefail", "-c", command)
        for watch in watches:
            self.check_that_progress_was_shown(watch.stop())

    def check_that_progress_was_shown(self, lines):
        columns = [line.split() for line in lines]
        self.assertEqual(columns[0][:4], ["NAME", "STATE", "PROGRESS", "IMAGES/S"], lines[:3])
        shown = [line for line in lines if line.startswith(RUN)]
        self.assertGreater(len({line for line in shown if "Running" in line and "%" in line}), 2, "\n".join(lines))
        self.assertIn("Complete", shown[-1])

    @classmethod
    def tearDownClass(cls):
        kube.delete("benchmarkrun", RUN, NAMESPACE)


if __name__ == "__main__":
    unittest.main()
