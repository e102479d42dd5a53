#!/usr/bin/env bash
# Container images of the operator and the worker, from the binaries that `make build` made.
#   images/build.sh [--registry NAME] [--tag TAG] [--push] [operator] [worker]
#       builds NAME/fairlap-operator:TAG and NAME/fairlap-worker:TAG (without NAME: local images) with docker, podman
#       or buildah, whichever is there or IMAGE_TOOL says. TAG is the project's version unless given.
#   images/build.sh --stage operator|worker DIR
#       only fills DIR with what the image is built from: its Dockerfile and the files it copies
# FAIRLAP_BUILD names the build folder, build/release unless given.
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"

build=${FAIRLAP_BUILD:-$root/build/release}
registry='' tag='' push=false images=()

usage() { die "usage: images/build.sh [--registry NAME] [--tag TAG] [--push] [operator] [worker] | --stage IMAGE DIR"; }

project_version() { sed -n 's/^project(fairlap VERSION \([0-9.]*\) .*/\1/p' "$root/CMakeLists.txt"; }

image_tool() {
  local tool
  for tool in ${IMAGE_TOOL:-docker podman buildah}; do
    if command -v "$tool" > /dev/null; then echo "$tool" && return; fi
  done
  die "none of docker, podman and buildah is here; IMAGE_TOOL names another"
}

# What a binary links from the folders it was built against: the wheel's libraries, under the names the loader wants.
wheel_libraries() { ldd "$1" | awk '$3 ~ /\/site-packages\// { print $1, $3 }'; }

# stage IMAGE DIR: only what the image needs, never the tree. Linked where that is possible: libtorch is large.
stage() {
  local image=$1 folder=$2 name file
  if [ ! -x "$build/bin/fairlap-$image" ]; then die "$build/bin/fairlap-$image is missing: make build"; fi
  rm -rf "${folder:?}"/{bin,lib,Dockerfile} && mkdir -p "$folder"
  cp "$root/images/$image/Dockerfile" "$folder/"
  cmake --install "$build" --strip --component "$image" --prefix "$folder" > "$folder/install.log" ||
    { cat "$folder/install.log" >&2; die "cmake --install failed"; }
  rm "$folder/install.log"
  if [ "$image" = worker ]; then
    mkdir -p "$folder/lib"
    while read -r name file; do
      cp --link --dereference "$file" "$folder/lib/$name" 2> /dev/null || cp --dereference "$file" "$folder/lib/$name"
    done < <(wheel_libraries "$build/bin/fairlap-worker")
  fi
}

build_image() {
  local image=$1 tool folder name
  tool=$(image_tool)
  folder=$root/build/images/$image
  name=${registry:+$registry/}fairlap-$image:$tag
  stage "$image" "$folder"
  say "Building $name with $tool"
  "$tool" build --tag "$name" "$folder"
  if $push; then "$tool" push "$name"; fi
}

while [ $# -gt 0 ]; do
  case $1 in
    --stage)
      if [ $# -ne 3 ] || [ ! -d "$root/images/$2" ]; then usage; fi
      stage "$2" "$3"
      exit
      ;;
    --registry | --tag)
      if [ $# -lt 2 ]; then usage; fi
      declare "${1#--}=$2"
      shift
      ;;
    --push) push=true ;;
    operator | worker) images+=("$1") ;;
    *) usage ;;
  esac
  shift
done

tag=${tag:-$(project_version)}
if [ ${#images[@]} -eq 0 ]; then images=(operator worker); fi
for image in "${images[@]}"; do build_image "$image"; done
