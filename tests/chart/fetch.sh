#!/usr/bin/env bash
# What the chart's tests check against, once, into a folder of the cache whose path it prints: dashboard-schema, built
# from Grafana's own types, and the Prometheus operator's CRDs. Both come from the Go module proxy.
source "$(dirname "${BASH_SOURCE[0]}")/../cluster/lib/common.sh"

chart=$root/tests/chart
source "$chart/versions"
folder=$cache/chart-$(cat "$chart/versions" "$chart"/dashboard-schema/* | sha256sum | cut -c1-12)
work=$cache/chart-build # Go's caches: removed at the end
crds=(podmonitors servicemonitors)

find_go() {
  local environment
  environment=$(venv_folder "$here/requirements.txt")/bin
  if [ -x "$environment/go" ]; then
    echo "$environment/go"
  else
    command -v go || die "there is no Go yet: run tests/cluster/build-binaries.sh"
  fi
}

fetch_crds() {
  local module crd
  module=$("$go" mod download -json "github.com/prometheus-operator/prometheus-operator@v$PROMETHEUS_OPERATOR" |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["Dir"])')
  mkdir -p "$folder/crds"
  for crd in "${crds[@]}"; do
    cp --no-preserve=mode "$module/example/prometheus-operator-crd/monitoring.coreos.com_$crd.yaml" "$folder/crds/"
  done
}

if [ ! -e "$folder/.complete" ]; then
  say "Fetching what the chart is checked against"
  go=$(find_go)
  export GOPATH=$work/go GOCACHE=$work/cache GOMODCACHE=$work/go/pkg/mod GOTOOLCHAIN=local CGO_ENABLED=0 GOWORK=off
  mkdir -p "$folder" && cd "$chart/dashboard-schema"
  GOFLAGS=-mod=readonly "$go" build -trimpath -buildvcs=false -o "$folder/dashboard-schema" . >&2
  fetch_crds
  chmod -R u+w "$work" && rm -rf "$work"
  touch "$folder/.complete"
fi
echo "$folder"
