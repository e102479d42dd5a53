# One node: containerd, kubelet, kube-proxy and the device plugin in process and mount namespaces of their own;
# sourced, not run. Ending the first process ends every container too, and takes all mounts with it.

containerd_bin() { echo "$cache/unpacked/containerd/usr/bin"; }
cni_bin() { echo "$cache/unpacked/containernetworking-plugins/usr/lib/cni"; }
runc_bin() { echo "$cache/unpacked/runc/usr/sbin"; }

# Every place where a control group can be made: one for each version 1 hierarchy, or the single version 2 one.
cgroup_mounts() { awk '$3 ~ /^cgroup2?$/ { print $2 }' /proc/mounts; }

make_cgroups() {
  local mount group file
  for mount in $(cgroup_mounts); do
    group=$mount/fairlap-node$1
    mkdir -p "$group"
    for file in cpuset.cpus cpuset.mems; do # empty in a new version 1 group, which then takes no process
      if [ -e "$group/$file" ] && [ -z "$(cat "$group/$file")" ]; then cat "$mount/$file" > "$group/$file"; fi
    done
  done
}

# remove_cgroups [N]: of one node, else of all.
remove_cgroups() {
  local mount group
  for mount in $(cgroup_mounts); do
    for group in "$mount/fairlap-node"${1:-[0-9]*}; do
      if [ ! -d "$group" ]; then continue; fi
      wait_until 10 find "$group" -depth -type d -exec rmdir {} + || die "$group still has processes"
    done
  done
}

write_containerd_config() {
  cat > "$folder/containerd.toml" << EOF
version = 2
root = "$folder/containerd"
state = "/run/containerd"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "localhost/pause:latest"
  restrict_oom_score_adj = true
  disable_apparmor = true
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
  BinaryName = "$(runc_bin)/runc"
[plugins."io.containerd.grpc.v1.cri".cni]
  bin_dir = "$(cni_bin)"
  conf_dir = "$folder/cni"
EOF
}

write_cni_config() {
  mkdir -p "$folder/cni"
  cat > "$folder/cni/10-pods.conflist" << EOF
{"cniVersion": "0.4.0", "name": "pods", "plugins": [
  {"type": "bridge", "bridge": "pods", "isGateway": true, "hairpinMode": true,
   "ipam": {"type": "host-local", "dataDir": "/run/cni", "routes": [{"dst": "0.0.0.0/0"}],
            "ranges": [[{"subnet": "$(pod_range "$1")"}]]}}]}
EOF
}

# Eviction is off: how full this machine's disk is must not decide a test.
write_kubelet_config() {
  echo "nameserver $(node_address 1)" > "$folder/resolv.conf"
  cat > "$folder/kubelet.yaml" << EOF
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: $(node_address "$1")
authentication: {anonymous: {enabled: false}, webhook: {enabled: true}, x509: {clientCAFile: $state/pki/ca.crt}}
authorization: {mode: Webhook}
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
cgroupDriver: cgroupfs
cgroupRoot: /fairlap-node$1
failCgroupV1: false
failSwapOn: false
enforceNodeAllocatable: []
featureGates: {KubeletInUserNamespace: true}
makeIPTablesUtilChains: false
clusterDNS: [$(node_address 1)] # nothing answers there; without an address the kubelet warns of every pod
clusterDomain: cluster.local
resolvConf: $folder/resolv.conf
evictionHard: {memory.available: 0%, nodefs.available: 0%, nodefs.inodesFree: 0%, imagefs.available: 0%}
imageGCHighThresholdPercent: 100
nodeStatusUpdateFrequency: 4s
shutdownGracePeriod: 0s
EOF
}

# Without bridge netfilter, answers between pods of one node bypass the address translation unless all is masked.
write_kube_proxy_config() {
  cat > "$folder/kube-proxy.yaml" << EOF
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
mode: nftables
hostnameOverride: node$1
clientConnection: {kubeconfig: $state/kube-proxy.kubeconfig}
clusterCIDR: 10.100.0.0/16
conntrack: {maxPerCore: 0, min: 0}
nftables: {masqueradeAll: true}
EOF
}

# make_node N: writes its configuration, keeping what containerd already holds of images.
make_node() {
  local folder=$state/node$1
  mkdir -p "$folder"
  make_kubeconfig "kubelet$1" "system:node:node$1" system:nodes "$folder/kubelet.kubeconfig"
  write_containerd_config
  write_cni_config "$1"
  write_kubelet_config "$1"
  write_kube_proxy_config "$1"
}

start_node() {
  make_cgroups "$1"
  mkdir -p /var/lib/kubelet # only a place to mount on
  start "node$1" nsenter --net="$(network_of "$1")" unshare --mount --pid --fork --kill-child --mount-proc \
    env PATH="$bin:$(containerd_bin):$(runc_bin):/usr/sbin:/usr/bin:/sbin:/bin" \
    "$here/lib/node_main.sh" "$1" "$(node_address "$1")" "$state/node$1" "${GPUS:-2}"
  wait_until 20 in_node "$1" ctr version || { show_log "node$1"; die "containerd of node $1 does not answer"; }
}

# The first process in the node's namespaces, as seen from here.
node_process() { pgrep -P "$(process_of "node$1")"; }

# in_node N COMMAND...: sees the node's mounts, processes and network.
in_node() {
  local process
  process=$(node_process "$1")
  shift
  nsenter --target "$process" --mount --pid --net env PATH="$bin:$(containerd_bin):$PATH" \
    CONTAINER_RUNTIME_ENDPOINT=unix:///run/containerd/containerd.sock "$@"
}
