# Runs commands one after another, so that Ctrl-C at any time leaves no process, no mount and nothing half-written.

say() { printf '%s\n' "$*" >&2; }
die() { say "package: $*"; exit 1; }

job=  # the process group of the command that runs

begin_steps() {
  mkdir -p "$out/logs"
  exec {lock}>"$out/.lock"
  flock -n "$lock" || die "another ./dev package is running"
  trap end_steps EXIT
  trap 'say stopped; exit 130' INT
  trap 'exit 143' TERM HUP
  remove_unfinished
  mkdir "$partial"
}

# Systems are mounted on in namespaces of their own (clean_root.sh), so that nothing is mounted once their processes have ended.
end_steps() {
  trap '' INT TERM HUP
  [[ -z $job ]] || end_job
  remove_unfinished
}

remove_unfinished() { rm -rf --one-file-system "$partial" "$out"/root-*; }

end_job() {
  local second
  kill -TERM -- "-$job" 2>/dev/null || return 0
  for second in 1 2 3 4 5; do
    kill -0 -- "-$job" 2>/dev/null || return 0
    sleep 1
  done
  kill -KILL -- "-$job" 2>/dev/null || true
}

# Runs a command with its output in a log, and says what it does and how long that took. The command is a process group of its own, so that all of it
# can be ended.
step() {  # step LABEL LOG COMMAND…
  local label=$1 log=$out/logs/$2.log begin=$SECONDS status=0
  shift 2
  say "$label …"
  set -m
  "$@" </dev/null >"$log" 2>&1 {lock}>&- &
  job=$!
  set +m
  wait "$job" || { status=$?; end_job; }  # a command that failed may have left others of its group
  job=
  [[ $status -eq 0 ]] || { tail -n 25 "$log" >&2; die "$label failed, see build/package/logs/${log##*/}"; }
  say "$label: $((SECONDS - begin)) s"
}

# Puts a finished file or folder in the place of an older one.
finish() {  # finish NAME: from build/package/partial to build/package
  rm -rf "${out:?}/$1"
  mv "$partial/$1" "$out/$1"
}

size() { du -h --apparent-size "$1" | cut -f1; }
