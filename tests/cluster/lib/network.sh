# The cluster's network namespaces; sourced, not run. Each is held by a sleeping process and vanishes, with every
# device, route and firewall rule in it, when the last process in it has ended: there is nothing to clean up.
# The first holds the control plane and node 1, each further one a node, joined to the first one's bridge.

node_address() { echo "10.99.0.$1"; }
pod_range() { echo "10.100.$1.0/24"; }
network_of() { echo "/proc/$(process_of "network$1")/ns/net"; }

# in_network N COMMAND...; not `ip netns exec`, which would hide the cgroup mounts behind a new /sys.
in_network() {
  local network
  network=$(network_of "$1")
  shift
  nsenter --net="$network" "$@"
}

new_network() {
  local holder
  start "network$1" unshare --net sleep infinity
  holder=$(process_of "network$1")
  wait_until 5 eval '[ "$(readlink /proc/'"$holder"'/ns/net)" != "$(readlink /proc/self/ns/net)" ]' ||
    die "no network namespace could be made; is this run as root?"
  in_network "$1" ip link set lo up
  in_network "$1" sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward'
}

# A bridge holds the node's address, so that there is a device to have it also while nothing is joined.
make_first_network() {
  new_network 1
  in_network 1 ip link add nodes type bridge
  in_network 1 ip address add "$(node_address 1)/24" dev nodes
  in_network 1 ip link set nodes up
  in_network 1 ip route add default dev nodes
}

join_network() {
  local n=$1
  new_network "$n"
  in_network 1 ip link add "node$n" type veth peer name eth0 netns "$(process_of "network$n")"
  in_network 1 ip link set "node$n" master nodes up
  in_network "$n" ip address add "$(node_address "$n")/24" dev eth0
  in_network "$n" ip link set eth0 up
  in_network "$n" ip route add default via "$(node_address 1)"
}

# Every node reaches every other one's pods.
make_pod_routes() {
  local from to
  for ((from = 1; from <= $1; from++)); do
    for ((to = 1; to <= $1; to++)); do
      if [ "$from" -ne "$to" ]; then
        in_network "$from" ip route replace "$(pod_range "$to")" via "$(node_address "$to")"
      fi
    done
  done
}
