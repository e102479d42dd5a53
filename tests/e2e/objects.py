"""The objects that the tests create: runs, claims, and a job that fills a claim with JPEGs."""
import copy

import kube

RESTRICTED_POD = {"runAsNonRoot": True, "runAsUser": 65532, "runAsGroup": 65532, "fsGroup": 65532,
                  "seccompProfile": {"type": "RuntimeDefault"}}
RESTRICTED_CONTAINER = {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True,
                        "capabilities": {"drop": ["ALL"]}}
PHOTOS = "photos"
TRAIN_IMAGES = 160


def make_run(name, namespace, steps=60, **changes):
    """A run that holds a GPU and computes on the CPU, small enough for two cores. `changes` are members of the spec,
    merged into it; None removes one."""
    spec = {
        "software": {"model": "resnet20v1", "input": {"threads": 1, "prefetchBatches": 2}},
        "problem": {"dataset": {"format": "imageFolder", "imageSize": 32}, "batchSize": 16,
                    "optimizer": {"learningRate": "0.02"}, "stop": {"steps": steps}, "warmupSteps": 5},
        # Less than a core, so that the worker trains with one thread: two of them and the cluster share two cores.
        "compute": {"device": "cpu", "gpus": 1, "resources": {"cpu": "900m"}},
        "storage": {"data": {"claimName": PHOTOS}},
        "measurement": {"repeats": 1, "warmupRuns": 0, "seed": 7},
    }
    return {"apiVersion": "fairlap.dev/v1alpha1", "kind": "BenchmarkRun",
            "metadata": {"name": name, "namespace": namespace}, "spec": merge(spec, changes)}


def merge(base, changes):
    """RFC 7386: a member of `changes` replaces, None removes, objects are merged."""
    merged = copy.deepcopy(base)
    for name, value in changes.items():
        if value is None:
            merged.pop(name, None)
        elif isinstance(value, dict) and isinstance(merged.get(name), dict):
            merged[name] = merge(merged[name], value)
        else:
            merged[name] = value
    return merged


def make_claim(name, namespace, storage_class="shared"):
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name, "namespace": namespace},
            "spec": {"storageClassName": storage_class, "accessModes": ["ReadWriteMany"],
                     "resources": {"requests": {"storage": "1Gi"}}}}


def make_pod_spec(command, claim, image=kube.WORKER_IMAGE):
    return {"restartPolicy": "Never", "automountServiceAccountToken": False, "securityContext": RESTRICTED_POD,
            "terminationGracePeriodSeconds": 0,
            "containers": [{"name": "main", "image": image, "command": command,
                            "securityContext": RESTRICTED_CONTAINER,
                            "volumeMounts": [{"name": "data", "mountPath": "/data"}]}],
            "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": claim}}]}


def make_photos_job(name, namespace, claim=PHOTOS):
    """Small JPEGs: what they show is learnable, and decoding them leaves the cores to the tests."""
    command = ["fairlap", "dataset", "generate", "--format", "imageFolder", "--classes", "4", "--images",
               str(TRAIN_IMAGES), "--typical-width", "64", "--seed", "1", "--out", "/data"]
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name, "namespace": namespace},
            "spec": {"backoffLimit": 0, "template": {"spec": make_pod_spec(command, claim)}}}


def make_pod(name, namespace, command, claim):
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": namespace},
            "spec": make_pod_spec(command, claim)}
