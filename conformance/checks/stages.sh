# Sourced by ./dev: runs the stages of its table. By night a stage that passes is
# written to conformance/nightly/STAGE.txt with the commit and a digest of the
# files that it is about, so that a night can be spread over many runs.

results=conformance/nightly

# each_stage day|night COMMAND...: calls COMMAND with the name, the files and the
# commands of each stage.
each_stage() {
  local wanted=$1 when name files commands
  shift
  while read -r when name files commands <&4; do
    if [ "$when" = day ] || [ "$wanted" = night ]; then
      "$@" "$name" "$files" "$commands"
    fi
  done 4< <(stages)
}

run_stage() {
  local begin=$SECONDS
  say "stage $1"
  eval "$3"
  say "stage $1 passed in $((SECONDS - begin)) s"
}

test_by_day() {
  each_stage day run_stage
  say "all tests passed in $((SECONDS / 60)) min"
}

# Outputs of stages are not what a stage is about.
changed_files() { git status --porcelain -- . ":!$results"; }

# digest_of FILES: of what the index holds under these patterns of git, which
# commas separate.
digest_of() {
  local patterns
  IFS=, read -ra patterns <<<"$1"
  git ls-files -s -- "${patterns[@]}" ":!$results" | sha256sum | cut -c1-16
}

# version_of FILES: what a stage runs on, as the first line of its result has it.
version_of() {
  echo "commit $(git rev-parse --short=12 HEAD), files $(digest_of "$1")"
}

# state_of NAME FILES: "passed", "open" or "behind", which passed with other files.
state_of() {
  local line='' result=$results/$1.txt
  [ ! -e "$result" ] || read -r line <"$result"
  case $line in
    '') echo open ;;
    *"files $(digest_of "$2")") echo passed ;;
    *) echo behind ;;
  esac
}

list_stage() {
  local line='never run' result=$results/$1.txt
  [ ! -e "$result" ] || line=$(head -n 1 "$result" | cut -d, -f2,3)
  printf '%-12s %-7s %s\n' "$1" "$(state_of "$1" "$2")" "${line# }"
}

# remembered_stage NAME FILES COMMANDS: leaves out what has passed with these
# files. The output is kept without the paths of this machine.
remembered_stage() {
  local version output=build/nightly/$1.txt
  if [ "$(state_of "$1" "$2")" = passed ]; then
    say "stage $1 has passed with these files"
    return
  fi
  version=$(version_of "$2")
  {
    echo "== stage $1, $(date -u +%F), $version"
    run_stage "$@" 2>&1 | sed -u "s#$PWD/##g; s#$PWD#.#g"
  } | tee "$output"
  if [ -n "$(changed_files)" ] || [ "$(version_of "$2")" != "$version" ]; then
    say "stage $1 is not remembered: files differ from the commit"
    return
  fi
  mv "$output" "$results/$1.txt"
}

# wanted_stage LIST STAGE...: those that the list names; all where it is empty.
wanted_stage() {
  [[ -z $1 || " $1 " == *" $2 "* ]] || return 0
  remembered_stage "${@:2}"
}

# test_by_night [--list | STAGE...]: those stages, or all, that have not passed
# with the files of this commit.
test_by_night() {
  local name names
  if [ "${1:-}" = --list ]; then
    each_stage night list_stage
    return
  fi
  names=$(each_stage night echo | cut -d' ' -f1)
  for name in "$@"; do
    if ! grep -qx -- "$name" <<<"$names"; then
      say "no stage is called '$name'; --list shows them" >&2
      return 2
    fi
  done
  mkdir -p build/nightly
  each_stage night wanted_stage "$*"
  say "the stages passed in $((SECONDS / 60)) min; commit what is new in $results"
}
