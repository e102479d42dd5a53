# Background processes, each recorded in $state/pids/NAME and logging to $state/logs/NAME.log; sourced, not run.

# The moment a process started: with it a recorded id cannot be mistaken for a later process of the same number.
start_time() {
  sed 's/.*) //' "/proc/$1/stat" 2> /dev/null | cut -d ' ' -f 20
}

# start NAME COMMAND...
start() {
  local name=$1
  shift
  mkdir -p "$state/pids" "$state/logs"
  setsid "$@" < /dev/null >> "$state/logs/$name.log" 2>&1 9>&- &
  disown # else bash reports it when it is killed
  echo "$! $(start_time $!)" > "$state/pids/$name"
}

# The recorded id where that process is still there, else nothing.
process_of() {
  local id started
  read -r id started 2> /dev/null < "$state/pids/$1" || return 0
  if [ "$(start_time "$id")" = "$started" ] && ! grep -q '^State:.Z' "/proc/$id/status" 2> /dev/null; then
    echo "$id"
  fi
}

running() { [ -n "$(process_of "$1")" ]; }
gone() { ! running "$1"; }

# stop SECONDS NAME: asks, waits that long, then kills.
stop() {
  local patience=$1 name=$2 id
  id=$(process_of "$name")
  if [ -n "$id" ]; then
    kill -TERM "$id" 2> /dev/null || true
    if ! wait_until "$patience" gone "$name"; then
      kill -KILL "$id" 2> /dev/null || true
      wait_until 10 gone "$name" || die "$name (process $id) does not end"
    fi
  fi
  rm -f "$state/pids/$name"
}

# The end of a log, for a component that did not come up.
show_log() { tail -n 15 "$state/logs/$1.log" >&2 || true; }
