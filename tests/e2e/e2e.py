#!/usr/bin/env python3
"""End to end on a real node: builds the images, starts the test cluster, runs every test of this folder inside its
network, and takes the cluster down. Needs build/release (make build), and root: without it, it asks sudo.
    tests/e2e/e2e.py [--keep] [--no-images] [NAME...]
NAME is a module, class or method (recovery_test.OperatorKilled); without any, all run in the order of suite.py.
--keep leaves the cluster up, and takes one that is up; --no-images takes the images that were built last.
What explains a failure is left in out/e2e."""
import argparse
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CLUSTER = ROOT / "tests" / "cluster"


def run(*command):
    return subprocess.run([str(part) for part in command], check=False).returncode


def must(*command):
    if run(*command) != 0:
        sys.exit(f"error: {' '.join(str(part) for part in command)} failed")


def build_images():
    for image in ("operator", "worker"):
        context = ROOT / "build" / "images" / image
        must(ROOT / "images" / "build.sh", "--stage", image, context)
        must(CLUSTER / "images.sh", "build", f"fairlap-{image}", context / "Dockerfile", context)


def is_up():
    return subprocess.run([CLUSTER / "cluster.sh", "status"], check=False, capture_output=True).returncode == 0


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--no-images", action="store_true")
    parser.add_argument("names", nargs="*", metavar="NAME")
    return parser.parse_args()


def become_root():
    """The cache stays the caller's."""
    if os.geteuid() != 0:
        kept = [f"{name}={os.environ[name]}" for name in ("HOME", "XDG_CACHE_HOME", "PATH") if name in os.environ]
        os.execvp("sudo", ["sudo", "env", *kept, sys.executable, *sys.argv])


def main():
    options = parse_arguments()
    become_root()
    must(CLUSTER / "build-binaries.sh")
    if not options.no_images:
        build_images()
    try:
        if not (options.keep and is_up()):
            must(CLUSTER / "cluster.sh", "up")
        return run(CLUSTER / "cluster.sh", "enter", sys.executable, HERE / "suite.py", *options.names)
    finally:
        if not options.keep:
            run(CLUSTER / "cluster.sh", "down")


if __name__ == "__main__":
    sys.exit(main())
