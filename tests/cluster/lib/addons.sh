# What a cluster offers besides pods: volumes and metrics; sourced, not run. Plain processes beside node 1.

start_provisioner() {
  mkdir -p "$state/volumes"
  start provision-volumes "${within[@]}" python3 "$here/addons/provision_volumes.py" \
    "$server" "$state/pki" "$state/volumes"
}

# Debian's Prometheus, unpacked: installing it would start a server on this machine.
start_prometheus() {
  local targets=$state/prometheus-targets.json
  sed "s|TARGET_FILE|$targets|" "$here/addons/prometheus.yaml" > "$state/prometheus.yaml"
  start discover-pods "${within[@]}" python3 "$here/addons/discover_pods.py" "$server" "$state/pki" "$targets"
  start prometheus "${within[@]}" "$cache/unpacked/prometheus/usr/bin/prometheus" \
    --config.file "$state/prometheus.yaml" --storage.tsdb.path "$state/prometheus" --log.level warn \
    --web.listen-address "$address:9090"
}

prometheus_ready() {
  "${within[@]}" python3 -c \
    'import sys, urllib.request; urllib.request.urlopen(sys.argv[1], timeout=2)' "http://$address:9090/-/ready"
}

stop_addons() {
  local name
  for name in discover-pods prometheus provision-volumes; do stop 3 "$name"; done
}
