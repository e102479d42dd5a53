#!/usr/bin/env bash
# The first process in a node's namespaces: node_main.sh N ADDRESS FOLDER GPUS. It gives the node folders of its own
# for what has a fixed path, starts the components, and reaps what containers orphan. A component that dies stays
# away: whoever kills one wants to see what the others make of it.
set -euo pipefail
n=$1 address=$2 folder=$3 gpus=$4
trap 'exit 0' TERM

mkdir -p "$folder"/{kubelet,log,containerd}
mount -t tmpfs -o mode=755 tmpfs /run
mount --bind "$folder/kubelet" /var/lib/kubelet
mount --bind "$folder/log" /var/log
mount --make-rshared /var/lib/kubelet
mkdir -p /run/lock /var/lib/kubelet/plugins_registry

launch() {
  local name=$1
  shift
  "$@" > "$folder/$name.log" 2>&1 &
}

launch containerd containerd --config "$folder/containerd.toml"
# Pods of an earlier life of this node: containerd still lists them, nobody runs them.
until crictl --runtime-endpoint unix:///run/containerd/containerd.sock rmp --all --force > /dev/null 2>&1; do
  sleep 0.1
done
launch kubelet kubelet --config "$folder/kubelet.yaml" --kubeconfig "$folder/kubelet.kubeconfig" \
  --node-ip "$address" --hostname-override "node$n"
launch kube-proxy kube-proxy --config "$folder/kube-proxy.yaml"
launch device-plugin device-plugin -count "$gpus" \
  -socket /var/lib/kubelet/plugins_registry/fairlap-gpu.sock

while true; do wait -n || sleep 0.2; done
