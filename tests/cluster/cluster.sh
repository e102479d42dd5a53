#!/usr/bin/env bash
# A real Kubernetes on this machine, in network, process and mount namespaces of its own; needs root.
#   cluster.sh up                    NODES=2 for two nodes, GPUS=n for the number of nvidia.com/gpu on each (2)
#   cluster.sh down                  ends and removes everything but the nodes' images; safe at any time
#   cluster.sh purge                 down, and the images too
#   cluster.sh status | bin          bin: prints the folder of kubectl and the others
#   cluster.sh enter COMMAND...      runs a command where the cluster's addresses are reachable, with KUBECONFIG set
#   cluster.sh node N COMMAND...     runs a command (ctr, crictl, ps) inside node N
#   cluster.sh stop-api | start-api         takes the API server away and brings it back
#   cluster.sh stop-node N | start-node N   loses a node at once, with all its containers, and brings it back
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
source "$here/lib/control_plane.sh"
source "$here/lib/network.sh"
source "$here/lib/node.sh"
source "$here/lib/addons.sh"
source "$here/lib/images.sh"

state=$cache/cluster
address=$(node_address 1)
api_port=6443 etcd_port=2379 peer_port=2380
server=https://$address:$api_port
within=()

enter_first_network() { within=(nsenter --net="$(network_of 1)"); }
is_up() { running network1 && running etcd; }
nodes() { seq 1 "$(cat "$state/nodes" 2> /dev/null || echo 1)"; }

prepare() {
  local package
  if [ "$(id -u)" -ne 0 ]; then die "a cluster with nodes needs root"; fi
  need_binaries kube-{apiserver,controller-manager,scheduler,proxy} kubelet etcd kubectl crictl device-plugin pause
  (
    flock 8 # setup.sh unpacks into the same folder
    for package in containerd runc containernetworking-plugins prometheus; do
      unpacked_package "$package" > /dev/null
    done
  ) 8> "$cache/setup.lock"
}

write_environment() {
  cat > "$state/env" << EOF
# Source this, and prefix a command with \$FAIRLAP_ENTER to run it inside the cluster's network.
export KUBECONFIG=$state/kubeconfig
export PATH=$bin:\$PATH
export FAIRLAP_ENTER="nsenter --net=$(network_of 1)"
export FAIRLAP_PROMETHEUS=http://$address:9090
EOF
}

start_all_nodes() {
  local n
  for n in $(nodes); do
    make_node "$n"
    start_node "$n"
    load_images "$n"
  done
}

ready_nodes() {
  local count
  count=$(api get nodes --no-headers 2> /dev/null | grep -c ' Ready ')
  [ "$count" -eq "$(cat "$state/nodes")" ]
}

gpus_offered() {
  ! api get nodes -o 'jsonpath={range .items[*]}[{.status.allocatable.nvidia\.com/gpu}]{end}' | grep -q '\[0*\]'
}

up() {
  local n
  prepare
  if is_up; then die "a cluster is already up: cluster.sh down first"; fi
  down # what a crash may have left
  make_pause_image
  trap 'if [ $? -ne 0 ]; then stop_all; fi' EXIT # the logs stay
  mkdir -p "$state"
  echo "${NODES:-1}" > "$state/nodes"
  say "Starting Kubernetes $KUBERNETES with $(cat "$state/nodes") node(s)"
  make_first_network
  for n in $(nodes | tail -n +2); do join_network "$n"; done
  make_pod_routes "$(cat "$state/nodes")"
  enter_first_network
  make_credentials
  make_certificate addons addons system:masters
  make_kubeconfig kube-proxy system:kube-proxy "" "$state/kube-proxy.kubeconfig"
  write_environment
  start_etcd
  start_apiserver --bind-address 0.0.0.0
  start_all_nodes
  wait_for_api
  start_controllers
  start_provisioner
  start_prometheus
  wait_until 60 ready_nodes || { tail -n 5 "$state"/node*/kubelet.log >&2; die "the nodes are not Ready"; }
  wait_until 30 gpus_offered || die "the nodes offer no nvidia.com/gpu"
  wait_for_controllers
  wait_until 30 prometheus_ready || { show_log prometheus; die "Prometheus is not ready"; }
  say "Ready in $SECONDS s: source $state/env, then \$FAIRLAP_ENTER kubectl get nodes"
}

# The processes go by what was recorded, so that nothing else need have survived a crash.
stop_recorded() {
  local file
  for file in "$state/pids/$2"[0-9]*; do
    if [ -e "$file" ]; then stop "$1" "$(basename "$file")"; fi
  done
}

stop_all() {
  stop_addons
  stop_recorded 0 node
  remove_cgroups
  stop_control_plane
  stop_recorded 1 network
}

# Removes all but the images.
down() {
  stop_all
  if grep -q " $state/" /proc/mounts; then die "something is still mounted below $state"; fi
  if [ -d "$state" ]; then
    find "$state" -mindepth 1 -maxdepth 1 ! -name 'node[0-9]*' -exec rm -rf --one-file-system {} +
    find "$state" -mindepth 2 -maxdepth 2 ! -name containerd ! -name loaded -exec rm -rf --one-file-system {} +
  fi
  if [ -d /var/lib/kubelet ]; then rmdir --ignore-fail-on-non-empty /var/lib/kubelet; fi
}

status() {
  local file
  for file in "$state"/pids/*; do
    if ! running "$(basename "$file")"; then say "$(basename "$file") has died: see $state/logs"; fi
  done
  api get nodes -o wide
}

command=${1:-}
if [ $# -gt 0 ]; then shift; fi
case $command in
  up | down | purge)
    mkdir -p "$cache"
    exec 9> "$cache/cluster.lock"
    flock 9
    ;;
  status | enter | node | *-api | *-node)
    is_up || die "no cluster is up"
    enter_first_network
    ;;
esac
case $command in
  up) up ;;
  down) down ;;
  purge) down && rm -rf --one-file-system "$state" ;;
  status) status ;;
  bin) echo "$bin" ;;
  enter) KUBECONFIG=$state/kubeconfig PATH=$bin:$PATH exec "${within[@]}" "$@" ;;
  node) in_node "$@" ;;
  stop-api) stop_apiserver ;;
  start-api) start_apiserver && wait_for_api ;;
  stop-node) stop 0 "node$1" && remove_cgroups "$1" ;;
  start-node) start_node "$1" ;;
  *) die "usage: cluster.sh up|down|purge|status|bin|enter|node|stop-api|start-api|stop-node|start-node" ;;
esac
