"""`fairlap run` training ResNet-20 on synthetic batches: images per second of the report's one repeat,
printed as the last line. Everything that a user's run does is on: metrics, recorder, report."""
import argparse
import json
import pathlib
import subprocess
import tempfile

MANIFEST = """
apiVersion: fairlap.dev/v1alpha1
kind: BenchmarkRun
metadata: {name: training-step}
spec:
  software: {model: resnet20v1, input: {threads: 1, prefetchBatches: 1}}
  problem:
    dataset: {format: synthetic, imageSize: 32, synthetic: {samples: 50000, classes: 10}}
    batchSize: 64
    optimizer: {learningRate: "0.05"}
    stop: {steps: 140}
    warmupSteps: 16
  compute: {device: cpu}
  measurement: {repeats: 1, warmupRuns: 0, seed: 1}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        manifest = pathlib.Path(folder, "run.yaml")
        manifest.write_text(MANIFEST)
        out = pathlib.Path(folder, "out")
        subprocess.run([arguments.bin / "fairlap", "run", "-f", manifest, "--out", out], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        report = json.loads((out / "report.json").read_text())
    print(report["status"]["repeats"][0]["figures"]["samplesPerSecond"])


if __name__ == "__main__":
    main()
