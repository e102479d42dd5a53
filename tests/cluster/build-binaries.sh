#!/usr/bin/env bash
# Builds what the test cluster runs from the Go module proxy, into a folder of the cache; fast when all is there.
#   tests/cluster/build-binaries.sh [control-plane | cluster]    (default: cluster, which is everything)
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

work=$cache/cluster-build # Go's caches and the generated modules: removed once all is built
export GOPATH=$work/go GOCACHE=$work/go-build GOMODCACHE=$work/go/pkg/mod
export GOFLAGS="-mod=mod -trimpath -buildvcs=false" GOTOOLCHAIN=local CGO_ENABLED=0 GOWORK=off
version_package=k8s.io/component-base/version

install_go() {
  local folder
  folder=$(venv_folder "$here/requirements.txt")
  if [ ! -e "$folder/.complete" ]; then
    say "Installing Go into $folder"
    rm -rf "$folder"
    python3 -m venv "$folder"
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-cache-dir \
      -r "$here/requirements.txt"
    touch "$folder/.complete"
  fi
  export PATH=$folder/bin:$PATH
}

# new_module NAME MODULE@VERSION: a module that requires another, with what tools/NAME holds; the working folder from
# here on. What else it needs is found by building: `go get` would also fetch what no package built here imports.
new_module() {
  rm -rf "${work:?}/$1" && mkdir -p "$work/$1"
  cd "$work/$1"
  if [ -d "$here/tools/$1" ]; then cp "$here/tools/$1"/*.go .; fi
  go mod init "fairlap.dev/tests/cluster/$1" 2> /dev/null
  go mod edit -require="$2"
}

# k8s.io/kubernetes requires its staging modules at v0.0.0; the published ones carry its minor version.
new_kubernetes_module() {
  local mod_file module edits=()
  new_module kubernetes "k8s.io/kubernetes@v$KUBERNETES"
  mod_file=$(go mod download -json "k8s.io/kubernetes@v$KUBERNETES" |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["GoMod"])')
  while read -r module; do
    edits+=("-replace=$module=$module@v0${KUBERNETES#1}")
  done < <(awk '$1 ~ /^k8s\.io\// && $2 == "v0.0.0" { print $1 }' "$mod_file")
  go mod edit "${edits[@]}"
}

# compile NAME PACKAGE [LINKER_FLAG...], in the module of the working folder
compile() {
  local name=$1 package=$2
  shift 2
  go build -ldflags "-s -w $*" -o "$bin/$name.part" "$package"
  mv "$bin/$name.part" "$bin/$name"
}

build_kubernetes() {
  local major_minor=${KUBERNETES%.*}
  if [ ! -e "$work/kubernetes/go.mod" ]; then new_kubernetes_module; fi
  cd "$work/kubernetes"
  compile "$1" "k8s.io/kubernetes/cmd/$1" \
    "-X $version_package.gitVersion=v$KUBERNETES" \
    "-X $version_package.gitMajor=${major_minor%.*}" "-X $version_package.gitMinor=${major_minor#*.}"
}

build_etcd() {
  new_module etcd "go.etcd.io/etcd/server/v3@v$ETCD"
  compile etcd .
}

build_helm() {
  new_module helm "helm.sh/helm/v3@v$HELM"
  compile helm helm.sh/helm/v3/cmd/helm -X "helm.sh/helm/v3/internal/version.version=v$HELM"
}

build_crictl() {
  new_module crictl "sigs.k8s.io/cri-tools@v$CRICTL"
  compile crictl sigs.k8s.io/cri-tools/cmd/crictl
}

build_device-plugin() {
  new_module device-plugin "k8s.io/kubelet@v0${KUBERNETES#1}"
  compile device-plugin .
}

build_pause() { gcc -static -O2 -Wall -o "$bin/pause" "$here/tools/pause.c"; }

# ensure NAME COMMAND...: builds a binary that is missing, or whose source here has changed since.
ensure() {
  local name=$1 stamp="$bin/.$1" recipe status begin=$SECONDS
  shift
  recipe=$(cat /dev/null $(find "$here/tools" -path "*/$name*" -type f | sort) | sha256sum)
  if [ -x "$bin/$name" ] && [ "$recipe" = "$(cat "$stamp" 2> /dev/null)" ]; then return; fi
  say "Building $name"
  install_go
  set +e # a subshell tested by || would go on after its first failure
  (set -e && "$@" "$name") > "$binaries/$name.log" 2>&1
  status=$?
  set -e
  if [ $status -ne 0 ]; then tail -n 20 "$binaries/$name.log" >&2 && die "$name could not be built"; fi
  echo "$recipe" > "$stamp"
  say "Built $name in $((SECONDS - begin)) s"
}

mkdir -p "$bin"
exec 9> "$binaries/build.lock"
flock 9 # a second caller waits here and then finds everything built

part=${1:-cluster}
case $part in
  control-plane | cluster) ;;
  *) die "build-binaries.sh: unknown part '$part'; known are control-plane and cluster" ;;
esac

ensure kube-apiserver build_kubernetes
ensure etcd build_etcd
ensure kubectl build_kubernetes
ensure kube-controller-manager build_kubernetes
ensure kube-scheduler build_kubernetes
if [ "$part" = cluster ]; then
  ensure kubelet build_kubernetes
  ensure kube-proxy build_kubernetes
  ensure device-plugin build_device-plugin
  ensure pause build_pause
  ensure crictl build_crictl
  ensure helm build_helm
  # Several gigabytes that only a changed version would need again; Go makes them read-only.
  if [ -d "$work" ]; then chmod -R u+w "$work" && rm -rf "$work"; fi
fi
say "Ready in $bin"
