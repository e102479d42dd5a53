#!/usr/bin/env bash
# Runs a command against a Kubernetes control plane of its own that knows our kind, and takes the control plane
# down again whatever happens:
#   with_control_plane.sh COMMAND [ARGUMENT...]
# The command gets FAIRLAP_KUBECONFIG (cluster admin), and in FAIRLAP_STOP_API and FAIRLAP_START_API the commands
# that take the API server away and bring it back.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scripts=${FAIRLAP_CLUSTER_SCRIPTS:-$root/tests/cluster}

die() { printf 'error: %s\n' "$*" >&2; exit 1; }

if [ $# -eq 0 ]; then die "usage: with_control_plane.sh COMMAND [ARGUMENT...]"; fi
if [ ! -x "$scripts/control_plane.sh" ]; then die "$scripts/control_plane.sh is not there"; fi
bin=$("$scripts/cluster.sh" bin)
for binary in etcd kube-apiserver kubectl; do
  if [ ! -x "$bin/$binary" ]; then
    die "$bin/$binary is not there: run tests/cluster/build-binaries.sh control-plane"
  fi
done

folder=$(mktemp -d "${TMPDIR:-/tmp}/fairlap-control-plane.XXXXXX")
tear_down() {
  local status=$?
  "$scripts/control_plane.sh" down "$folder" >&2 || status=1
  rm -rf "$folder"
  exit "$status"
}
trap tear_down EXIT
trap 'exit 143' TERM
trap 'exit 130' INT

"$scripts/control_plane.sh" up "$folder" >&2
export FAIRLAP_KUBECONFIG=$folder/kubeconfig
export FAIRLAP_STOP_API="$scripts/control_plane.sh stop-api $folder"
export FAIRLAP_START_API="$scripts/control_plane.sh start-api $folder"
kubectl() { "$bin/kubectl" --kubeconfig "$FAIRLAP_KUBECONFIG" "$@"; }
kubectl apply -f "$root/crds/fairlap.dev_benchmarkruns.yaml" >&2
# An error, and no reason to wait, is what kubectl takes it for that a CRD has no conditions at all yet.
deadline=$((SECONDS + 60))
until kubectl wait --for=condition=Established --timeout=60s crd/benchmarkruns.fairlap.dev >&2; do
  if [ $SECONDS -ge $deadline ]; then die "the API server does not serve our kind"; fi
  sleep 0.2
done
"$@"
