# etcd, kube-apiserver, kube-controller-manager and kube-scheduler as plain processes; sourced, not run. Uses
# $state (the folder), $address (where they listen), $api_port, $etcd_port, $peer_port, and the array `within`, a
# command prefix that enters a network namespace (empty: none).
source "$here/lib/process.sh"
source "$here/lib/pki.sh"

api() { "${within[@]}" "$bin/kubectl" --kubeconfig "$state/kubeconfig" "$@"; }
api_ready() { api get --raw /readyz; }

make_credentials() {
  local alternatives="IP:$address,IP:127.0.0.1,IP:10.96.0.1,DNS:localhost,DNS:kubernetes.default.svc"
  make_authority
  make_certificate apiserver kube-apiserver "" "$alternatives,DNS:kubernetes.default"
  make_certificate apiserver-kubelet-client apiserver system:masters
  make_kubeconfig admin admin system:masters "$state/kubeconfig"
  make_kubeconfig controller-manager system:kube-controller-manager "" "$state/controller-manager.kubeconfig"
  make_kubeconfig scheduler system:kube-scheduler "" "$state/scheduler.kubeconfig"
}

# ETCD_BINARY replaces etcd, to test against an old one.
start_etcd() {
  start etcd "${within[@]}" "${ETCD_BINARY:-$bin/etcd}" --data-dir "$state/etcd" --log-level warn \
    --unsafe-no-fsync --name test --listen-client-urls "http://127.0.0.1:$etcd_port" \
    --advertise-client-urls "http://127.0.0.1:$etcd_port" --listen-peer-urls "http://127.0.0.1:$peer_port" \
    --initial-advertise-peer-urls "http://127.0.0.1:$peer_port" \
    --initial-cluster "test=http://127.0.0.1:$peer_port"
}

# start_apiserver [OPTION...]; the options are kept for the next start after stop_apiserver.
start_apiserver() {
  local pki=$state/pki kept=()
  if [ $# -gt 0 ]; then printf '%s\n' "$@" > "$state/apiserver.options"; fi
  mapfile -t kept < "$state/apiserver.options"
  start kube-apiserver "${within[@]}" "$bin/kube-apiserver" --etcd-servers "http://127.0.0.1:$etcd_port" \
    --bind-address "$address" --advertise-address "$address" --secure-port "$api_port" \
    --tls-cert-file "$pki/apiserver.crt" --tls-private-key-file "$pki/apiserver.key" \
    --client-ca-file "$pki/ca.crt" --authorization-mode Node,RBAC --allow-privileged \
    --service-account-issuer https://kubernetes.default.svc \
    --service-account-key-file "$pki/service-accounts.key" \
    --service-account-signing-key-file "$pki/service-accounts.key" \
    --service-cluster-ip-range 10.96.0.0/16 --enable-admission-plugins NodeRestriction \
    --kubelet-client-certificate "$pki/apiserver-kubelet-client.crt" \
    --kubelet-client-key "$pki/apiserver-kubelet-client.key" \
    --kubelet-preferred-address-types InternalIP "${kept[@]}"
}

# Its drain of open requests can take a minute; a test wants it away now.
stop_apiserver() { stop 3 kube-apiserver; }

wait_for_api() {
  if ! wait_until 120 eval 'api_ready || gone kube-apiserver' || gone kube-apiserver; then
    show_log etcd
    show_log kube-apiserver
    die "kube-apiserver did not come up; its log is in $state/logs"
  fi
}

# start_controllers [OPTION...], of the controller manager
start_controllers() {
  start kube-controller-manager "${within[@]}" "$bin/kube-controller-manager" --secure-port 0 \
    --kubeconfig "$state/controller-manager.kubeconfig" --leader-elect=false --use-service-account-credentials \
    --service-account-private-key-file "$state/pki/service-accounts.key" --root-ca-file "$state/pki/ca.crt" \
    --node-monitor-grace-period 20s "$@"
  start kube-scheduler "${within[@]}" "$bin/kube-scheduler" --secure-port 0 --leader-elect=false \
    --kubeconfig "$state/scheduler.kubeconfig"
}

# Pods are refused until the controller manager has made their namespace's account.
wait_for_controllers() {
  wait_until 30 api get serviceaccount default || { show_log kube-controller-manager; die "no controllers"; }
}

stop_control_plane() {
  stop 2 kube-scheduler
  stop 2 kube-controller-manager
  stop_apiserver
  stop 3 etcd
}
