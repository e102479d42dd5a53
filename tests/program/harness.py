"""What the program tests share: the binaries, small manifests, and looking at processes.

The binaries' folder comes from FAIRLAP_BIN; ctest sets it.
"""
import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import time
import unittest

BIN = pathlib.Path(os.environ["FAIRLAP_BIN"])
FAIRLAP = BIN / "fairlap"
WORKER = BIN / "fairlap-worker"
# Generous: a sanitized build on a busy machine. Nothing waits this long unless it is broken.
PATIENCE_SECONDS = 120

# One CPU for all that is started here: with several compute threads on a busy machine, steps of a
# batch this small take seconds, since the threads wait for each other.
os.sched_setaffinity(0, {random.choice(sorted(os.sched_getaffinity(0)))})

# Also root meets file permissions without these capabilities.
AS_ORDINARY_USER = ["setpriv", "--bounding-set=-dac_override,-dac_read_search",
                    "--inh-caps=-dac_override,-dac_read_search"]

# Trains the smallest network on tensors made up in memory: no data set is needed.
MANIFEST = """\
apiVersion: fairlap.dev/v1alpha1
kind: BenchmarkRun
metadata: {{name: {name}}}
spec:
  software: {{model: resnet20v1, input: {{threads: 1, prefetchBatches: 1}}}}
  problem:
    dataset: {{format: synthetic, synthetic: {{samples: 64, validationSamples: 0, classes: 10}}}}
    batchSize: 4
    optimizer: {{learningRate: "0.01"}}
    stop: {{steps: {steps}}}
    warmupSteps: 1
  compute: {{device: cpu}}
  measurement: {{repeats: {repeats}, warmupRuns: {warmup_runs}, seed: 7}}
"""


def fairlap(*arguments, **options):
    """Runs fairlap to its end; output as text in .stdout and .stderr."""
    return subprocess.run([FAIRLAP, *arguments], capture_output=True, text=True,
                          timeout=PATIENCE_SECONDS, **options)


def wait_until(condition, what):
    """Polls until condition() gives something true, and returns that."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError(f"waited {PATIENCE_SECONDS} s in vain for {what}")


def processes_with(text):
    """Ids of running processes other than this one that have `text` in their command line."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue  # it has ended meanwhile
        if text in command and int(folder.name) != os.getpid():
            found.append(int(folder.name))
    return found


def fill(folder):
    """Leaves no byte free on the folder's volume."""
    with open(folder / "filler", "wb", buffering=0) as filler:
        try:
            while True:
                filler.write(b"x" * 512)
        except OSError:
            pass


def tiny_volume(test, folder, size):
    """Mounts a volume of that size at the folder for the test, which is skipped where nobody may."""
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder],
                             capture_output=True, text=True)
    if mounted.returncode != 0:
        test.skipTest(f"cannot mount a volume: {mounted.stderr.strip()}")
    test.addCleanup(subprocess.run, ["umount", "--lazy", folder], check=True)


def large_hole(test, path, gibibytes=8):
    """A file that takes no space, and takes long to copy. Skips the test where a copy has no room."""
    room = os.statvfs(path.parent)
    if room.f_bavail * room.f_frsize < (gibibytes + 1) << 30:
        test.skipTest(f"needs {gibibytes + 1} GiB free")
    with open(path, "wb") as file:
        file.truncate(gibibytes << 30)


class Case(unittest.TestCase):
    """A test with a folder of its own."""
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="fairlap-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.out = self.folder / "out"

    def manifest(self, name="tiny", steps=3, repeats=1, warmup_runs=0):
        return self.file(f"{name}.yaml", MANIFEST.format(name=name, steps=steps, repeats=repeats,
                                                         warmup_runs=warmup_runs))

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def report(self):
        return json.loads((self.out / "report.json").read_text())

    def workers(self):
        """Ids of the workers that write into this test's folder."""
        return processes_with(f"--results={self.out}")
