#!/usr/bin/env python3
"""Writes losses.json: the losses of ten training steps of PyTorch's Python front end, against which
reference_test.cc holds the worker's training.

    make bench's environment, or any with torch, torchvision and numpy:
    python3 tests/golden/reference/make_losses.py [--check | --robustness | --sensitivity] [--only REGEX]

The networks are written down here a second time, independently of worker/model (models.py). Weights, images and
labels come from one formula that the C++ test has as well (formula.py), so nothing but the losses is stored.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import torch

import training
from cases import CASES
from models import parameter_count

PATH = pathlib.Path(__file__).with_name("losses.json")
TOLERANCE = 1e-4  # of reference_test.cc
ROBUST = 4e-5
# What must not matter: (what it is called, options of --check, environment).
VARIANTS = [
    ("1 thread", ["--threads", "1"], {}),
    ("channelsLast", ["--channels-last"], {}),
    ("no SIMD", [], {"ATEN_CPU_CAPABILITY": "default"}),
    ("AVX2", [], {"ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2"}),
]


def difference(values, reference):
    """The largest relative one."""
    return max(abs(a - b) / abs(b) for a, b in zip(values, reference, strict=True))


def compute(case, channels_last=False):
    """The case's object of losses.json."""
    network = training.make_network(case)
    layout = torch.channels_last if channels_last else torch.contiguous_format
    return {**case, "parameters": parameter_count(network),
            "losses": training.losses(network, case, layout)}


def stored():
    return {case["name"]: case for case in json.loads(PATH.read_text())["cases"]}


def write(cases):
    """Replaces these cases and leaves the others as they are."""
    kept = stored() if PATH.exists() and "cases" in PATH.read_text() else {}
    for case in cases:
        begin = time.monotonic()
        kept[case["name"]] = compute(case)
        print(f"{case['name']}: {time.monotonic() - begin:.1f} s, "
              + " ".join(f"{loss:.5f}" for loss in kept[case["name"]]["losses"]), flush=True)
    names = [case.name for case in CASES]
    document = {"torch": torch.__version__,
                "cases": [kept[name] for name in names if name in kept]}
    PATH.write_text(json.dumps(document, indent=1) + "\n")
    return True


def check(cases, channels_last):
    """Prints each case's difference from what is stored; whether all are within the test's tolerance."""
    good = True
    for case in cases:
        was, now = stored()[case["name"]], compute(case, channels_last)
        apart = difference(now["losses"], was["losses"])
        same = {**now, "losses": 0} == {**was, "losses": 0}
        good &= same and apart <= TOLERANCE
        print(f"{case['name']} {apart:.1e}" + ("" if same else " differs from cases.py"), flush=True)
    return good


def robustness(only):
    """--check on other threads, layouts and instruction sets, each in a process of its own."""
    good = True
    for name, options, environment in VARIANTS:
        command = [sys.executable, __file__, "--check", "--only", only, *options]
        done = subprocess.run(command, env={**os.environ, **environment}, text=True,
                              stdout=subprocess.PIPE)
        for line in done.stdout.splitlines():
            case, apart = line.split()[:2]
            robust = float(apart) <= ROBUST
            good &= robust
            print(f"{name:12} {case:20} {apart}" + ("" if robust else "  TOO FAR"), flush=True)
    return good


def without(case, key, value):
    return {**case, "optimizer": {**case["optimizer"], key: value}}


def sensitivity(cases):
    """How far the losses are from those without updates, without momentum, and so on."""
    for case in cases:
        reference = stored()[case["name"]]["losses"]
        spec = case["optimizer"]
        changed = {"weightDecay": "0", "learningRate": "1e-30", "momentum": "0", "nesterov": False,
                   "labelSmoothing": "0", "gradientClipNorm": "0", "decayNormAndBias": True}
        for key, value in changed.items():
            if key in spec and spec[key] != value:
                other = compute(without(case, key, value))["losses"]
                print(f"{case['name']:20} {key} = {value}: {difference(other, reference):.1e}",
                      flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="compare with losses.json, write nothing")
    what.add_argument("--robustness", action="store_true",
                      help="compare on other threads, layouts and instruction sets")
    what.add_argument("--sensitivity", action="store_true", help="what each setting changes")
    parser.add_argument("--only", default="", metavar="REGEX", help="cases whose name matches")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--channels-last", action="store_true")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    cases = [case.document() for case in CASES if re.search(arguments.only, case.name)]
    if arguments.check:
        good = check(cases, arguments.channels_last)
    elif arguments.robustness:
        good = robustness(arguments.only)
    else:
        good = sensitivity(cases) if arguments.sensitivity else write(cases)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
