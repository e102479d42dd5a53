"""Helm, kubectl and the rendered chart, for the tests in this folder."""
import json
import os
import pathlib
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHART = ROOT / "charts" / "fairlap"
DASHBOARD = CHART / "dashboards" / "fairlap-run.json"
CLUSTER = ROOT / "tests" / "cluster"


def read_line(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


BIN = pathlib.Path(read_line(CLUSTER / "cluster.sh", "bin"))


def fetched(name):
    """The path of something that fetch.sh gets."""
    return pathlib.Path(read_line(ROOT / "tests" / "chart" / "fetch.sh")) / name


def run(*command, kubeconfig="/dev/null", text=None):
    """Runs a program of the cluster's folder; the caller looks at returncode, stdout and stderr."""
    environment = {**os.environ, "KUBECONFIG": str(kubeconfig), "PATH": f"{BIN}:{os.environ['PATH']}"}
    return subprocess.run([str(part) for part in command], env=environment, input=text, capture_output=True,
                          text=True, check=False)


def succeed(*command, **more):
    done = run(*command, **more)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(str(part) for part in command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def wait_for_crd(name, kubeconfig):
    """Until it is served. kubectl takes it for an error that a CRD has no conditions at all yet."""
    end = time.monotonic() + 60
    command = ("kubectl", "wait", "--for=condition=Established", "--timeout=60s", f"crd/{name}")
    while run(*command, kubeconfig=kubeconfig).returncode != 0:
        if time.monotonic() >= end:
            raise AssertionError(f"{name} is not served")
        time.sleep(0.2)


def parse_documents(manifests):
    """Kubernetes YAML as a list of objects. kubectl reads it, as Python has no YAML of its own."""
    text = succeed("kubectl", "annotate", "--local", "-f", "-", "-o", "json", "fairlap.test/read=1", text=manifests)
    decoder, position, objects = json.JSONDecoder(), 0, []
    while position < len(text.rstrip()):
        found, end = decoder.raw_decode(text, position)
        objects.append(found)
        position = end + len(text[end:]) - len(text[end:].lstrip())
    return objects


def template(*options, release="fairlap", namespace="fairlap-system"):
    return run("helm", "template", release, CHART, "--namespace", namespace, "--kube-version", "1.36", *options)


def render(*options, **more):
    done = template(*options, **more)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return parse_documents(done.stdout)


def of_kind(objects, kind):
    return [item for item in objects if item["kind"] == kind]


def only(objects, kind):
    found = of_kind(objects, kind)
    if len(found) != 1:
        raise AssertionError(f"{len(found)} objects of kind {kind}")
    return found[0]
