"""Runs the benchmarks of harness/benchmarks.py and writes bench.json; docs/performance.md says how to read it.

Exit status 1 if a target or a limit was missed, or if a benchmark could not be run.
"""
import argparse
import pathlib
import sys

from harness import running, table
from harness.benchmarks import BENCHMARKS, Settings, matching


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="build/release/bin")
    parser.add_argument("--data", type=pathlib.Path, required=True, help="a generated image folder")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="bench.json")
    parser.add_argument("--only", default="", metavar="REGEX", help="benchmarks whose name matches")
    parser.add_argument("--rounds", type=int, default=0, help="of each benchmark (default: its own)")
    parser.add_argument("--list", action="store_true", help="print the names and end")
    arguments = parser.parse_args()
    chosen = matching(arguments.only, BENCHMARKS)
    if arguments.list:
        print("\n".join(name for benchmark in chosen for name in benchmark.names()))
        return 0
    if not chosen:
        parser.error(f"no benchmark matches '{arguments.only}'")
    settings = Settings(arguments.bin.resolve(), arguments.data.resolve(), arguments.rounds)
    known = running.run(chosen, settings, arguments.out)
    print(table.table(known))
    return 0 if all(result["pass"] for result in known) else 1


if __name__ == "__main__":
    sys.exit(main())
