#!/usr/bin/env python3
"""Tells Prometheus which pods there are, through a target file with the meta labels of its own pod discovery,
which Debian's build leaves out. The relabelling in prometheus.yaml is therefore what a user would write.
    discover_pods.py SERVER PKI_FOLDER TARGET_FILE
"""
import json
import os
import re
import sys
import time

import kube


def make_meta_labels(prefix, pairs):
    return {prefix + re.sub(r"[^a-zA-Z0-9_]", "_", key): value for key, value in pairs.items()}


def make_targets(pod):
    """One target for each declared port of a pod that has an address."""
    metadata, address = pod["metadata"], pod["status"].get("podIP")
    if not address or pod["status"]["phase"] not in ("Pending", "Running"):
        return []
    labels = {"__meta_kubernetes_namespace": metadata["namespace"],
              "__meta_kubernetes_pod_name": metadata["name"],
              "__meta_kubernetes_pod_node_name": pod["spec"].get("nodeName", ""),
              **make_meta_labels("__meta_kubernetes_pod_label_", metadata.get("labels", {})),
              **make_meta_labels("__meta_kubernetes_pod_annotation_", metadata.get("annotations", {}))}
    return [{"targets": [f"{address}:{port['containerPort']}"],
             "labels": {**labels, "__meta_kubernetes_pod_container_name": container["name"],
                        "__meta_kubernetes_pod_container_port_name": port.get("name", "")}}
            for container in pod["spec"]["containers"] for port in container.get("ports", [])]


def main():
    server, pki, file = sys.argv[1:]
    client = kube.Client(server, pki, "addons")
    written = None
    while True:
        try:
            targets = [target for pod in client.items("/api/v1/pods") for target in make_targets(pod)]
            if targets != written:
                with open(file + ".part", "w", encoding="utf-8") as out:
                    json.dump(targets, out, indent=1)
                os.replace(file + ".part", file)
                written = targets
        except OSError as error:  # the API server may be away: that is one of the tests
            print(error, file=sys.stderr, flush=True)
        time.sleep(1)


if __name__ == "__main__":
    main()
