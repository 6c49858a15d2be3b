# Sourced by ./dev: runs the stages of its table. By night each of them is
# remembered by the commit, so that a run that was broken off can be finished.

# each_stage day|night COMMAND...: calls COMMAND with the name and the commands
# of each stage.
each_stage() {
  local wanted=$1 when name commands
  shift
  while read -r when name commands <&4; do
    if [ "$when" = day ] || [ "$wanted" = night ]; then
      "$@" "$name" "$commands"
    fi
  done 4< <(stages)
}

run_stage() {
  local begin=$SECONDS
  say "stage $1"
  eval "$2"
  say "stage $1 passed in $((SECONDS - begin)) s"
}

test_by_day() {
  each_stage day run_stage
  say "all tests passed in $((SECONDS / 60)) min"
}

# What is tested: the commit, or "dirty" where files differ from it.
tested_tree() {
  if [ -z "$(git status --porcelain)" ]; then
    git rev-parse --short=12 HEAD
  else
    echo dirty
  fi
}

# remembered_stage TREE NAME COMMANDS: leaves out what passed before. The
# output is kept without the paths of this machine.
remembered_stage() {
  local file=build/nightly/$1/$2 begin=$SECONDS
  if [ -e "$file.done" ]; then
    say "stage $2 passed before"
    return
  fi
  run_stage "$2" "$3" 2>&1 | sed -u "s#$PWD/##g; s#$PWD#.#g" |
    tee "$file.txt"
  if [ "$(tested_tree)" != "$1" ]; then
    say "the sources changed while stage $2 ran"
    return 1
  fi
  echo $((SECONDS - begin)) >"$file.done"
}

stage_seconds() { cat "build/nightly/$1/$2.done"; }
stage_output() { cat "build/nightly/$1/$2.txt"; }

# All of it, as a file that is committed before an issue is closed.
test_by_night() {
  local tree file seconds
  tree=$(tested_tree)
  file=build/nightly-$(date -u +%F).txt
  rm -rf build/nightly/dirty
  mkdir -p "build/nightly/$tree"
  each_stage night remembered_stage "$tree"
  seconds=$(each_stage night stage_seconds "$tree" | paste -sd+)
  {
    say "$(date -u +%F), commit $(git describe --always --dirty)"
    each_stage night stage_output "$tree"
    say "all tests passed in $(((seconds) / 60)) min"
  } >"$file"
  say "all tests passed; the output is in $file; commit it in" \
    conformance/nightly
}
