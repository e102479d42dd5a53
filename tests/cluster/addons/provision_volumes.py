#!/usr/bin/env python3
"""Makes a volume, a folder of this machine, for every claim of the classes below, and removes it with its data.

All nodes of the test cluster share one file system, so class `shared` is truly ReadWriteMany. Class `local` waits
for a pod and ties the volume to that pod's node, as a local disk would be.
    provision_volumes.py SERVER PKI_FOLDER VOLUMES_FOLDER
"""
import os
import pathlib
import shutil
import sys
import time

import kube

PROVISIONER = "test.fairlap.dev/folders"
BINDING_MODES = {"shared": "Immediate", "local": "WaitForFirstConsumer"}
DEFAULT_CLASS = "shared"
SELECTED_NODE = "volume.kubernetes.io/selected-node"


def make_class(name):
    default = {"storageclass.kubernetes.io/is-default-class": "true"} if name == DEFAULT_CLASS else {}
    return {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "provisioner": PROVISIONER,
            "metadata": {"name": name, "annotations": default},
            "reclaimPolicy": "Delete", "volumeBindingMode": BINDING_MODES[name]}


def make_volume(claim, folder):
    """The volume for a claim, or None while the scheduler has yet to choose its node."""
    metadata, spec = claim["metadata"], claim["spec"]
    name = f"pvc-{metadata['uid']}"
    volume = {
        "apiVersion": "v1", "kind": "PersistentVolume",
        "metadata": {"name": name, "annotations": {"pv.kubernetes.io/provisioned-by": PROVISIONER}},
        "spec": {"storageClassName": spec["storageClassName"], "accessModes": spec["accessModes"],
                 "capacity": {"storage": spec["resources"]["requests"]["storage"]},
                 "persistentVolumeReclaimPolicy": "Delete",
                 "hostPath": {"path": f"{folder}/{name}", "type": "Directory"},
                 "claimRef": {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "uid": metadata["uid"],
                              "namespace": metadata["namespace"], "name": metadata["name"]}}}
    if BINDING_MODES[spec["storageClassName"]] == "WaitForFirstConsumer":
        node = metadata.get("annotations", {}).get(SELECTED_NODE)
        if node is None:
            return None
        expression = {"key": "kubernetes.io/hostname", "operator": "In", "values": [node]}
        volume["spec"]["nodeAffinity"] = {
            "required": {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}}
    return volume


def provision(client, folder):
    for claim in client.items("/api/v1/persistentvolumeclaims"):
        wanted = claim["spec"].get("storageClassName") in BINDING_MODES
        if not wanted or claim["status"]["phase"] != "Pending" or claim["spec"].get("volumeName"):
            continue
        volume = make_volume(claim, folder)
        if volume is not None:
            path = pathlib.Path(volume["spec"]["hostPath"]["path"])
            path.mkdir(exist_ok=True)
            os.chmod(path, 0o777)  # a kubelet sets no group on a hostPath, and pods run as anyone
            client.call("POST", "/api/v1/persistentvolumes", volume)


def release(client):
    for volume in client.items("/api/v1/persistentvolumes"):
        metadata, spec = volume["metadata"], volume["spec"]
        ours = metadata.get("annotations", {}).get("pv.kubernetes.io/provisioned-by") == PROVISIONER
        if ours and volume["status"]["phase"] == "Released" and spec["persistentVolumeReclaimPolicy"] == "Delete":
            shutil.rmtree(spec["hostPath"]["path"], ignore_errors=True)
            client.call("DELETE", f"/api/v1/persistentvolumes/{metadata['name']}")


def main():
    server, pki, folder = sys.argv[1:]
    client = kube.Client(server, pki, "addons")
    for name in BINDING_MODES:
        client.call("POST", "/apis/storage.k8s.io/v1/storageclasses", make_class(name))
    while True:
        try:
            provision(client, folder)
            release(client)
        except OSError as error:  # the API server may be away: that is one of the tests
            print(error, file=sys.stderr, flush=True)
        time.sleep(0.5)


if __name__ == "__main__":
    main()
