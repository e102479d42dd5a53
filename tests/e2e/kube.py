"""kubectl, helm and the node, as the tests use them. Every wait has a deadline and says what it saw last."""
import json
import os
import pathlib
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLUSTER = ROOT / "tests" / "cluster" / "cluster.sh"
SYSTEM = "fairlap-system"
# What the README's commands take from their reader: the images that tests/cluster/images.sh loaded.
IMAGES = {"REGISTRY": "localhost", "TAG": "test"}
WORKER_IMAGE = "localhost/fairlap-worker:test"


class CommandFailed(AssertionError):
    pass


def execute(*command, text=None, check=True):
    done = subprocess.run([str(part) for part in command], input=text, capture_output=True, text=True, check=False,
                          cwd=ROOT, env={**os.environ, **IMAGES})
    if check and done.returncode != 0:
        raise CommandFailed(f"{' '.join(str(part) for part in command)}\n{done.stdout}{done.stderr}")
    return done


def kubectl(*arguments, **more):
    return execute("kubectl", *arguments, **more).stdout


def helm(*arguments):
    return execute("helm", "--namespace", SYSTEM, *arguments).stdout


def on_node(*command):
    return execute(CLUSTER, "node", "1", *command).stdout


def get(kind, name, namespace):
    """The object, or None where there is none."""
    text = kubectl("get", kind, name, "--namespace", namespace, "-o", "json", "--ignore-not-found")
    return json.loads(text) if text.strip() else None


def find(kind, namespace, **labels):
    """The objects with these labels; an underscore in a name stands for a slash."""
    selector = ",".join(f"{name.replace('_', '/')}={value}" for name, value in labels.items())
    chosen = ["--selector", selector] if selector else []
    return json.loads(kubectl("get", kind, "--namespace", namespace, "-o", "json", *chosen))["items"]


def children(run, namespace):
    """Every object that a run's label marks as belonging to it, as 'kind/name'."""
    return kubectl("get", "jobs,pods,configmaps,persistentvolumeclaims,secrets,services", "--namespace", namespace,
                   "--selector", f"fairlap.dev/run={run}", "-o", "name").split()


def create(*objects, check=True):
    """As `kubectl create`: what exists already is an error."""
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": list(objects)})
    return execute("kubectl", "create", "-f", "-", text=text, check=check)


def delete(kind, name, namespace, wait=True):
    kubectl("delete", kind, name, "--namespace", namespace, "--ignore-not-found", f"--wait={str(wait).lower()}")


def wait_for(what, probe, seconds=120, pause=1.0):
    """Polls until the probe gives something true, and returns that. A failed command counts as not yet."""
    deadline, seen = time.monotonic() + seconds, None
    while True:
        try:
            seen = probe()
            if seen:
                return seen
        except (CommandFailed, OSError) as error:
            seen = error
        if time.monotonic() >= deadline:
            raise AssertionError(f"not within {seconds} s: {what}; last seen: {seen}")
        time.sleep(pause)


def make_namespace(name, restricted=True):
    """Workers are to run under the strictest of Kubernetes' pod security profiles."""
    labels = {"pod-security.kubernetes.io/enforce": "restricted"} if restricted else {}
    if not kubectl("get", "namespace", name, "--ignore-not-found").strip():
        create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}})
    wait_for(f"the default account of {name}", lambda: get("serviceaccount", "default", name))


def conditions(run):
    return {item["type"]: item for item in run.get("status", {}).get("conditions", [])}


def is_true(run, condition):
    return conditions(run).get(condition, {}).get("status") == "True"


def operator_pods():
    return find("pods", SYSTEM, **{"app.kubernetes.io_name": "fairlap-operator"})


def is_ready(pod):
    return any(item["type"] == "Ready" and item["status"] == "True" for item in pod["status"].get("conditions", []))


def wait_for_operator():
    return wait_for("one operator that is ready",
                    lambda: len(operator_pods()) == 1 and is_ready(operator_pods()[0]) and operator_pods()[0])
