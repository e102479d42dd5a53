#!/usr/bin/env bash
# A control plane without nodes, for tests of one client against a real API server. Each DIR is one of its own;
# several run side by side, as any user.
#   control_plane.sh up DIR [--controllers]   etcd and kube-apiserver on free loopback ports; writes DIR/kubeconfig.
#                                             With --controllers kube-controller-manager and kube-scheduler too.
#   control_plane.sh down DIR                 ends them and removes DIR
#   control_plane.sh stop-api DIR | start-api DIR   takes the API server away and brings it back, same port and data
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
source "$here/lib/control_plane.sh"

address=127.0.0.1
within=()

# Below the range that outgoing connections take their ports from, which could grab one before its server does.
free_ports() {
  local port found=()
  for port in $(shuf --input-range 20000-31999 --head-count 50); do
    if [ ${#found[@]} -lt 3 ] && ! (exec 3<> "/dev/tcp/127.0.0.1/$port") 2> /dev/null; then found+=("$port"); fi
  done
  echo "${found[@]}"
}

load_ports() {
  if [ ! -e "$state/ports" ]; then die "no control plane in $state"; fi
  read -r api_port etcd_port peer_port < "$state/ports"
}

up() {
  local options=(--endpoint-reconciler-type none) controllers=false
  need_binaries etcd kube-apiserver kubectl
  if [ -e "$state/ports" ]; then die "$state is in use: control_plane.sh down $state"; fi
  case "${1:-}" in
    --controllers) controllers=true && need_binaries kube-controller-manager kube-scheduler ;;
    # Nobody makes service accounts then, and without this every pod would be refused for want of one.
    '') options+=(--disable-admission-plugins ServiceAccount) ;;
    *) die "control_plane.sh up: unknown option '$1'" ;;
  esac
  trap 'if [ $? -ne 0 ]; then stop_control_plane; fi' EXIT # the logs stay
  mkdir -p "$state"
  free_ports > "$state/ports"
  load_ports
  server=https://$address:$api_port
  make_credentials
  start_etcd
  start_apiserver "${options[@]}"
  wait_for_api
  if $controllers; then start_controllers '--controllers=*,-node-lifecycle-controller' && wait_for_controllers; fi
  say "Ready: KUBECONFIG=$state/kubeconfig"
}

# Only what `up` made is removed: DIR may be a folder of the caller's with other things in it.
down() {
  stop_control_plane
  rm -rf "${state:?}"/{etcd,pki,pids,logs,ports,kubeconfig,apiserver.options}
  rm -f "$state"/{controller-manager,scheduler}.kubeconfig
  if [ -d "$state" ]; then rmdir --ignore-fail-on-non-empty "$state"; fi
}

if [ $# -lt 2 ]; then die "usage: control_plane.sh up | down | stop-api | start-api DIR"; fi
command=$1
state=$(realpath -m "$2")
shift 2
case $command in
  up) up "$@" ;;
  down) down ;;
  stop-api) stop_apiserver ;;
  start-api) load_ports && start_apiserver && wait_for_api ;;
  *) die "control_plane.sh: unknown command '$command'" ;;
esac
