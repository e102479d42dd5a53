"""A real control plane for tests: etcd, kube-apiserver, controller manager and scheduler, no kubelet.

What a kubelet would report of a pod, the tests write into the pod's status themselves.
"""
import datetime
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONTROL_PLANE = ROOT / "tests/cluster/control_plane.sh"
CRD = ROOT / "crds/fairlap.dev_benchmarkruns.yaml"
OPERATOR = pathlib.Path(os.environ.get("FAIRLAP_BIN", ROOT / "build/release/bin")) / "fairlap-operator"
PATIENCE_SECONDS = 120

NODE = {
    "apiVersion": "v1", "kind": "Node",
    "metadata": {"name": "node1", "labels": {"kubernetes.io/hostname": "node1"}}}
CAPACITY = {"cpu": "8", "memory": "32Gi", "pods": "50", "nvidia.com/gpu": "2"}


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def wait_until(condition, what, seconds=PATIENCE_SECONDS):
    """Polls until condition() gives something true, and returns that."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError(f"waited {seconds} s in vain for {what() if callable(what) else what}")


class ControlPlane:
    def __init__(self, *options):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="fairlap-control-plane-"))
        self.kubeconfig = self.folder / "kubeconfig"
        try:
            self.script("up", *options)
            tools = subprocess.run([ROOT / "tests/cluster/cluster.sh", "bin"], check=True,
                                   stdout=subprocess.PIPE, text=True).stdout.strip()
            self.kubectl_path = pathlib.Path(tools) / "kubectl"
            self.kubectl("apply", "--server-side", "-f", CRD)
            wait_until(lambda: self.try_kubectl("get", "bmr").returncode == 0, "the kind's service")
        except BaseException:
            self.down()
            raise

    def script(self, verb, *options):
        done = subprocess.run([CONTROL_PLANE, verb, self.folder, *options], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            raise AssertionError(f"control_plane.sh {verb}: {done.stdout}")

    def down(self):
        subprocess.run([CONTROL_PLANE, "down", self.folder], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        shutil.rmtree(self.folder, ignore_errors=True)

    def try_kubectl(self, *arguments, input=None):
        return subprocess.run([self.kubectl_path, f"--kubeconfig={self.kubeconfig}", *arguments],
                              input=input, text=True, capture_output=True, timeout=PATIENCE_SECONDS)

    def kubectl(self, *arguments, input=None):
        done = self.try_kubectl(*arguments, input=input)
        if done.returncode != 0:
            raise AssertionError(f"kubectl {' '.join(map(str, arguments))}: {done.stderr}")
        return done.stdout

    def apply(self, *objects):
        for item in objects:
            self.kubectl("apply", "-f", "-", input=json.dumps(item))

    def get(self, kind, name, ns):
        """The object, or None if there is none."""
        done = self.try_kubectl("get", kind, name, "-n", ns, "-o", "json", "--ignore-not-found")
        return json.loads(done.stdout) if done.returncode == 0 and done.stdout else None

    def list(self, kind, ns):
        done = self.try_kubectl("get", kind, "-n", ns, "-o", "json")
        return json.loads(done.stdout)["items"] if done.returncode == 0 else []

    def patch_status(self, kind, name, ns, status):
        options = ["-n", ns] if ns else []
        self.kubectl("patch", kind, name, *options, "--subresource=status", "--type=merge", "-p",
                     json.dumps({"status": status}))

    def make_node(self):
        """A node without a kubelet, for the scheduler; nobody misses its heartbeats here."""
        self.apply(NODE)
        self.patch_status("node", "node1", "", {
            "capacity": CAPACITY, "allocatable": CAPACITY,
            "conditions": [{"type": "Ready", "status": "True", "reason": "Test",
                            "lastHeartbeatTime": now(), "lastTransitionTime": now()}]})
        # Every new node has it, and the controller that takes it off is the one that misses heartbeats.
        self.kubectl("taint", "nodes", "node1", "node.kubernetes.io/not-ready-")


class Operator:
    """The real operator as a process."""

    def __init__(self, plane, *options):
        self.log_path = plane.folder / f"operator-{random.getrandbits(32):08x}.log"
        with open(self.log_path, "w") as log:
            self.process = subprocess.Popen(
                [OPERATOR, "--kubeconfig", plane.kubeconfig, "--listen", "127.0.0.1:0",
                 "--worker-image", "localhost/fairlap-worker:test", *options],
                stdout=log, stderr=subprocess.STDOUT)
        address = wait_until(self.address, self.log)
        self.url = f"http://{address}"
        wait_until(self.ready, self.log)

    def log(self):
        return self.log_path.read_text()

    def address(self):
        for line in self.log().splitlines():
            if "metrics and health on http://" in line:
                return json.loads(line)["message"].rsplit("/", 1)[1]
        return None

    def ready(self):
        try:
            with urllib.request.urlopen(self.url + "/readyz", timeout=5) as reply:
                return reply.status == 200
        except OSError:
            return False

    def metrics(self):
        with urllib.request.urlopen(self.url + "/metrics", timeout=5) as reply:
            return reply.read().decode()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        """Seconds that SIGTERM took."""
        begin = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=PATIENCE_SECONDS)
        return time.monotonic() - begin


def run_manifest(ns, name="demo", **changes):
    """A tiny run; changes are merged into the spec's sections."""
    spec = {
        "software": {"model": "resnet20v1"},
        "problem": {"dataset": {"format": "synthetic", "synthetic": {"samples": 64}},
                    "batchSize": 4, "optimizer": {"learningRate": "0.01"}, "stop": {"steps": 40},
                    "warmupSteps": 1},
        "compute": {"device": "cpu"},
        "measurement": {"repeats": 2, "warmupRuns": 0, "seed": 7}}
    for section, fields in changes.items():
        if isinstance(fields, dict):
            spec.setdefault(section, {}).update(fields)
        else:
            spec[section] = fields
    return {"apiVersion": "fairlap.dev/v1alpha1", "kind": "BenchmarkRun",
            "metadata": {"name": name, "namespace": ns}, "spec": spec}


def worker_summary(rate):
    """What a worker leaves as its termination message."""
    return json.dumps({
        "schemaVersion": 1, "outcome": "succeeded", "reason": "", "message": "", "seed": 7,
        "marks": {"firstStep": now()},
        "figures": {"samplesPerSecond": rate, "windowState": "ok", "crossesEpochs": False,
                    "windowSteps": 30, "windowSamples": 120, "bottleneck": "notMeasured",
                    "cacheState": "unverified", "stallAnalysis": {"state": "notMeasured"},
                    "steps": 40, "samples": 160, "epochs": 1, "badFiles": 0, "stageSeconds": {}}})
