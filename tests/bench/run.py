"""Runs ours against a peer in alternating rounds (AB, BA, AB, ...) and prints the ratio of geometric
means with its 95 % Welch interval on logarithms, as docs/measurement.md ("Benchmarks of our own") defines.

A target holds when the interval's lower end is at least target - 0.02. Every value is printed. The exit
status is 1 if a target was missed.
"""
import argparse
import dataclasses
import math
import pathlib
import statistics
import subprocess
import sys

from scipy import stats

TOLERANCE = 0.02
HERE = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass
class Benchmark:
    name: str
    unit: str  # of what both commands print as their last line; higher is better
    ours: list
    peer: list
    target: float  # ours / peer


def measure(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return float(done.stdout.split()[-1])


def welch_ratio(ours, peer, confidence=0.95):
    """(ratio of geometric means, low, high); B. L. Welch, Biometrika 34 (1947)."""
    a, b = [math.log(x) for x in ours], [math.log(x) for x in peer]
    va, vb = statistics.variance(a) / len(a), statistics.variance(b) / len(b)
    difference = statistics.mean(a) - statistics.mean(b)
    if va + vb == 0:
        return math.exp(difference), math.exp(difference), math.exp(difference)
    freedom = (va + vb) ** 2 / (va**2 / (len(a) - 1) + vb**2 / (len(b) - 1))
    half = stats.t.ppf((1 + confidence) / 2, freedom) * math.sqrt(va + vb)
    return tuple(math.exp(x) for x in (difference, difference - half, difference + half))


def compare(benchmark, rounds):
    ours, peer = [], []
    for number in range(rounds):
        order = [(ours, benchmark.ours), (peer, benchmark.peer)]
        for values, command in order if number % 2 == 0 else reversed(order):
            values.append(measure(command))
    ratio, low, high = welch_ratio(ours, peer)
    holds = low >= benchmark.target - TOLERANCE
    print(f"{benchmark.name}")
    print(f"  ours {benchmark.unit}: " + " ".join(f"{value:.4g}" for value in ours))
    print(f"  peer {benchmark.unit}: " + " ".join(f"{value:.4g}" for value in peer))
    print(f"  ratio {ratio:.3f}, 95 % interval {low:.3f} .. {high:.3f}; target {benchmark.target}: "
          + ("holds" if holds else "MISSED"), flush=True)
    return holds


def benchmarks(bin_folder, data):
    python = sys.executable
    folder = str(data / "train")
    return [
        Benchmark(
            "input pipeline, JPEG folder -> 224 px batches, 2 threads, against PyTorch DataLoader + Pillow",
            "images/s",
            [str(bin_folder / "pipeline_bench"), "--data", str(data), "--threads", "2"],
            [python, str(HERE / "peers/input_pipeline.py"), "--data", folder, "--threads", "2"],
            1.5),
        Benchmark(
            "training step, ResNet-20, batch 64, fp32, CPU, against Python PyTorch",
            "images/s",
            [python, str(HERE / "ours_training_step.py"), "--bin", str(bin_folder)],
            [python, str(HERE / "peers/training_step.py")],
            0.98),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="build/release/bin")
    parser.add_argument("--data", type=pathlib.Path, required=True, help="a generated image folder")
    parser.add_argument("--rounds", type=int, default=6, help="rounds of each, in pairs (default 6)")
    arguments = parser.parse_args()
    held = [compare(b, arguments.rounds) for b in benchmarks(arguments.bin, arguments.data)]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
