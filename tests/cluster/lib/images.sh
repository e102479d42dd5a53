# Container images: archives in the cache, loaded into every node's containerd; sourced, not run. All are named
# localhost/NAME:test: a tag other than `latest` lets a kubelet use what is there instead of asking a registry.

archives=$cache/cluster-images

# In a mount namespace of its own, since buildah leaves its storage mounted.
in_builder() {
  mkdir -p "$cache/buildah"
  BUILDAH_ISOLATION=chroot STORAGE_DRIVER=overlay unshare --mount "$@"
}

builder() { in_builder buildah --root "$cache/buildah/storage" --runroot "$cache/buildah/run" "$@"; }

# save NAME TAG. This kind of archive keeps layers uncompressed: packing costs more than it saves on one machine.
save() {
  rm -f "$archives/$1.tar.part"
  builder push --quiet "localhost/$1:$2" "docker-archive:$archives/$1.tar.part:localhost/$1:$2"
  mv "$archives/$1.tar.part" "$archives/$1.tar"
}

make_pause_image() {
  local container
  if [ "$archives/pause.tar" -nt "$bin/pause" ]; then return; fi
  mkdir -p "$archives"
  container=$(builder from scratch)
  builder copy --quiet "$container" "$bin/pause" /pause > /dev/null
  builder config --entrypoint '["/pause"]' "$container"
  builder commit --quiet --rm "$container" localhost/pause:latest > /dev/null
  save pause latest
}

# debian_mirror: where this machine's own packages come from.
debian_mirror() {
  apt-get indextargets --format '$(SITE) $(CODENAME)' 'Identifier: Packages' | awk '$2 == "bookworm" { print $1; exit }'
}

# What `FROM debian:bookworm-slim` gets, made of packages instead of pulled. Kept in buildah's storage.
make_base_image() {
  local container tree=$cache/buildah/base
  if builder inspect --type image localhost/debian:bookworm-slim > /dev/null 2>&1; then return; fi
  say "Making the base image debian:bookworm-slim"
  rm -rf --one-file-system "$tree" && mkdir -p "$tree"
  in_builder debootstrap --variant=minbase bookworm "$tree" "$(debian_mirror)" > "$cache/debootstrap.log" 2>&1 ||
    { tail -n 20 "$cache/debootstrap.log" >&2; die "debootstrap failed"; }
  rm -rf "$tree"/var/cache/apt/archives/*.deb "$tree"/var/lib/apt/lists/* "$tree"/usr/share/{doc,man,locale}/*
  container=$(builder from scratch)
  builder copy --quiet "$container" "$tree" / > /dev/null
  builder config --cmd /bin/bash --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
  builder commit --quiet --rm "$container" localhost/debian:bookworm-slim > /dev/null
  rm -rf --one-file-system "$tree"
}

# build_image NAME DOCKERFILE CONTEXT [BUILDAH_OPTION...]; apt in it follows this machine's settings (proxy, dates).
build_image() {
  local name=$1 dockerfile=$2 context=$3
  shift 3
  mkdir -p "$archives"
  make_base_image
  builder bud --pull-never --layers --quiet --volume /etc/apt/apt.conf.d:/etc/apt/apt.conf.d:ro \
    --tag "localhost/$name:test" --file "$dockerfile" "$@" "$context" > "$archives/$name.log" ||
    { tail -n 20 "$archives/$name.log" >&2; die "the image $name could not be built"; }
  save "$name" test
}

# load_images N: brings every archive that node N does not hold yet.
load_images() {
  local archive name loaded=$state/node$1/loaded
  mkdir -p "$loaded"
  for archive in "$archives"/*.tar; do
    name=$(basename "$archive" .tar)
    if [ "$archive" -nt "$loaded/$name" ]; then
      in_node "$1" ctr --namespace k8s.io images import "$archive" > /dev/null
      touch "$loaded/$name"
    fi
  done
}
