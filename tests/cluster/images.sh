#!/usr/bin/env bash
# Container images for the test cluster, without a registry.
#   images.sh build NAME DOCKERFILE CONTEXT [BUILDAH_OPTION...]   builds localhost/NAME:test and loads it where a
#                                       cluster is up (else the next `cluster.sh up` does). FROM debian:bookworm-slim
#                                       works, made by debootstrap; any other base must have been built before.
#   images.sh load                      loads what was built into a cluster that is up
#   images.sh remove                    removes buildah's storage and all archives
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
source "$here/lib/process.sh"
source "$here/lib/node.sh"
source "$here/lib/images.sh"

state=$cache/cluster

load() {
  local file
  for file in "$state"/pids/node*; do
    if [ -e "$file" ] && running "$(basename "$file")"; then load_images "${file##*/node}"; fi
  done
}

case ${1:-} in
  build)
    shift
    if [ $# -lt 3 ]; then die "usage: images.sh build NAME DOCKERFILE CONTEXT [BUILDAH_OPTION...]"; fi
    build_image "$@"
    load
    ;;
  load) load ;;
  remove)
    if grep -q " $cache/buildah" /proc/mounts; then die "something is still mounted below $cache/buildah"; fi
    rm -rf --one-file-system "$cache/buildah" "$archives"
    ;;
  *) die "usage: images.sh build NAME DOCKERFILE CONTEXT | load | remove" ;;
esac
