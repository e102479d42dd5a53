#!/usr/bin/env bash
# Proves that the test cluster does what tests rely on; fails loudly. Starts a cluster and takes it down again.
#   smoke.sh        NODES=2 also checks what needs two nodes
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
source "$here/lib/node.sh" # for cgroup_mounts

cluster() { "$here/cluster.sh" "$@"; }
k() { cluster enter kubectl --namespace smoke "$@"; }

# expect WHAT WANTED SEEN
expect() {
  if [ "$2" != "$3" ]; then
    k get pods,pvc -o wide >&2 || true
    k get events | tail -n 15 >&2 || true
    die "$1: wanted '$2', saw '$3'"
  fi
  say "ok: $1"
}

phase_of() { k get pod "$1" -o 'jsonpath={.status.phase}'; }
has_phase() { [ "$(phase_of "$1")" = "$2" ]; }
wait_for_phase() {
  wait_until 40 has_phase "$1" "$2" || true
  expect "pod $1 is $2" "$2" "$(phase_of "$1")"
}

# pod NAME GPUS SCRIPT [VOLUME_NAME]: a pod as restricted as Fairlap's workers are.
pod() {
  cat << EOF
apiVersion: v1
kind: Pod
metadata: {name: $1, namespace: smoke}
spec:
  restartPolicy: Never
  terminationGracePeriodSeconds: 0
  automountServiceAccountToken: false
  securityContext: {runAsNonRoot: true, runAsUser: 65532, seccompProfile: {type: RuntimeDefault}}
  containers:
  - name: main
    image: localhost/smoke:test
    command: [/bin/bash, -c, '$3']
    resources: {limits: {nvidia.com/gpu: $2, cpu: 100m, memory: 64Mi}}
    securityContext: {readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
    volumeMounts: [{name: data, mountPath: /data}]
  volumes:
  - name: data
    ${4:-emptyDir: {\}}
EOF
}

create() { pod "$@" | k apply -f - > /dev/null; }

make_image() {
  local folder
  folder=$(mktemp -d)
  printf 'FROM debian:bookworm-slim\nRUN echo built > /built\nUSER 65532\n' > "$folder/Dockerfile"
  "$here/images.sh" build smoke "$folder/Dockerfile" "$folder"
  rm -r "$folder"
}

make_namespace() {
  cluster enter kubectl create namespace smoke > /dev/null
  cluster enter kubectl label namespace smoke pod-security.kubernetes.io/enforce=restricted > /dev/null
  wait_until 20 k get serviceaccount default || die "the namespace gets no service account"
}

check_restricted_pod() {
  create one 1 'echo "log $(cat /built) $NVIDIA_VISIBLE_DEVICES $(id -u)"; echo -n bye > /dev/termination-log'
  wait_for_phase one Succeeded
  expect "its log is readable" "log built GPU 65532" "$(k logs one | sed 's/GPU-[01]/GPU/')"
  expect "its termination message arrived" bye \
    "$(k get pod one -o 'jsonpath={.status.containerStatuses[0].state.terminated.message}')"
}

check_gpu_scheduling() {
  local n gpus=$((2 * nodes))
  for ((n = 1; n <= gpus; n++)); do create "busy$n" 1 'exec sleep 600'; done
  for ((n = 1; n <= gpus; n++)); do wait_for_phase "busy$n" Running; done
  create waiting 1 'exec sleep 600'
  wait_until 20 eval '[ -n "$(k get pod waiting -o "jsonpath={.status.conditions[0].reason}")" ]' || true
  expect "a pod too many is not scheduled" "Pending Unschedulable" "$(k get pod waiting -o \
    'jsonpath={.status.phase} {.status.conditions[?(@.type=="PodScheduled")].reason}')"
  expect "exec works" 65532 "$(k exec busy1 -- id -u)"
  k delete pod busy1 > /dev/null
  wait_for_phase waiting Running
  k delete pod --all > /dev/null
}

check_shared_volume() {
  local class path claim='persistentVolumeClaim: {claimName: data}'
  for class in shared local; do
    k apply -f - > /dev/null << EOF
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {storageClassName: $class, accessModes: [ReadWriteMany], resources: {requests: {storage: 1Gi}}}
EOF
    create writer 0 'echo shared > /data/file; exec sleep 600' "$claim"
    wait_for_phase writer Running
    create reader 0 'until cat /data/file; do sleep 0.1; done' "$claim"
    wait_for_phase reader Succeeded
    expect "two pods share a claim of class $class" shared "$(k logs reader 2> /dev/null | grep shared)"
    path=$(cluster enter kubectl get pv -o 'jsonpath={.items[0].spec.hostPath.path}')
    k delete pod --all > /dev/null
    k delete pvc data > /dev/null
    wait_until 20 test ! -e "$path" || die "the data of a deleted claim stays: $path"
    wait_until 20 eval '[ -z "$(cluster enter kubectl get pv -o name)" ]' || die "the volume stays"
  done
}

query() {
  cluster enter python3 -c 'import json, sys, urllib.parse, urllib.request
url = "http://10.99.0.1:9090/api/v1/query?query=" + urllib.parse.quote(sys.argv[1])
for series in json.load(urllib.request.urlopen(url, timeout=5))["data"]["result"]:
    metric = series["metric"]
    print(metric.get("pod"), metric.get("namespace"), metric.get("run"), series["value"][1])' "$1"
}

# Nothing serves the port: a target that is down shows the discovery and the labels just as well.
check_prometheus() {
  local labels='labels: {app.kubernetes.io/part-of: fairlap, fairlap.dev/run: r1}'
  pod metrics 0 'exec sleep 600' |
    sed -e "s|namespace: smoke|namespace: smoke, $labels|" \
      -e 's|^    volumeMounts|    ports: [{name: metrics, containerPort: 9400}]\n&|' | k apply -f - > /dev/null
  wait_for_phase metrics Running
  wait_until 20 eval '[ -n "$(query up)" ]' || true
  expect "Prometheus finds a pod and its run" "metrics smoke r1 0" "$(query up)"
}

check_service() {
  create client 0 'exec 3<> /dev/tcp/$KUBERNETES_SERVICE_HOST/443 && echo reached'
  wait_for_phase client Succeeded
  expect "a service is reached by its address" reached "$(k logs client)"
}

check_nothing_left() {
  expect "no process is left" "" "$(pgrep -af "$cache/cluster/|containerd-shim|plugins_registry" || true)"
  expect "no mount is left" "" "$(grep -E "$cache/(cluster|buildah)|kubelet|netns" /proc/mounts || true)"
  expect "no control group is left" "" \
    "$(for mount in $(cgroup_mounts); do find "$mount" -maxdepth 1 -name 'fairlap-node*'; done)"
  expect "no network namespace is left" "" "$(ip netns list)"
  cluster down
  expect "a second down does no harm" "" "$(ls "$cache/cluster" | grep -v '^node[0-9]' || true)"
}

nodes=${NODES:-1}
cluster down
trap 'cluster down' EXIT
make_image
begin=$SECONDS
NODES=$nodes cluster up
say "up took $((SECONDS - begin)) s"
expect "all nodes are Ready" "$nodes" "$(cluster enter kubectl get nodes --no-headers | grep -c ' Ready ')"
make_namespace
check_restricted_pod
check_gpu_scheduling
check_shared_volume
check_prometheus
check_service
cluster down
check_nothing_left
say "The test cluster works"
