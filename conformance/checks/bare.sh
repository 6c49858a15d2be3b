#!/usr/bin/env bash
# Runs ./dev check and ./dev test, or the one command that is named with its
# arguments, on a Debian 12 that has nothing but its package manager: a root
# that debootstrap makes, which is removed afterwards, but for one named by
# ASSAY_BARE. Packages come from where those of this machine come from.
set -euo pipefail
cd "$(dirname "$0")/../.."

suite=bookworm
data=${ASSAY_DATA:-../shared/data}
PATH=$PATH:/usr/sbin:/sbin

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

skip() {
  echo "bare: skipped, $*"
  exit 0
}

# Mounts are seen by the command alone, and end with it.
apart() { as_root unshare --mount --propagation private "$@"; }

mirror() {
  apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' |
    awk -v suite="$suite" '$1 == suite && $2 == "main" { print $3; exit }'
}

proxy() { apt-config shell value Acquire::http::Proxy | cut -d"'" -f2; }

make_root() {
  local from
  from=$(mirror)
  echo "== making a root of $suite in $root"
  apart env http_proxy="${http_proxy:-$(proxy)}" debootstrap \
    --variant=minbase "$suite" "$root" \
    "${from:-http://deb.debian.org/debian}" >build/debootstrap.log 2>&1 ||
    { tail -n 20 build/debootstrap.log; return 1; }
}

# How this machine's apt reaches the mirror: proxies, keys, passwords.
copy_apt_configuration() {
  local file
  apt-config dump | sed -nE '/^Acquire::(http|https|Retries|Check)/p' |
    as_root tee "$root/etc/apt/apt.conf.d/90host" >/dev/null
  for file in /etc/apt/{auth.conf,auth.conf.d,keyrings,trusted.gpg.d} \
    /etc/ssl/certs/ca-certificates.crt; do
    [ ! -e "$file" ] || as_root cp -rL --parents "$file" "$root"
  done
}

# The files of the commit, those that are new or changed, and the test data.
copy_sources() {
  as_root mkdir -p "$root/assay" "$root/data"
  as_root find "$root/assay" -mindepth 1 -maxdepth 1 ! -name build \
    -exec rm -rf {} +
  git ls-files -z --cached --others --exclude-standard |
    while IFS= read -rd '' file; do
      [ ! -e "$file" ] || printf '%s\0' "$file" # what was deleted is not there
    done | tar -c --null --files-from=- |
    as_root tar -x --no-same-owner -C "$root/assay"
  if [ -d "$data" ]; then as_root cp -rL "$data/." "$root/data"; fi
}

in_root() {
  echo "== on a bare $suite: $*"
  apart --mount-proc="$root/proc" chroot "$root" env -i HOME=/root \
    PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM="${TERM:-dumb}" \
    ASSAY_DATA=/data /assay/dev "$@"
}

remove_root() {
  [ -n "${ASSAY_BARE:-}" ] || as_root rm -rf --one-file-system "$root"
}

command -v debootstrap >/dev/null || skip "debootstrap is not installed"
as_root true 2>/dev/null || skip "root is needed"
mkdir -p build
root=${ASSAY_BARE:-$(mktemp -d "${TMPDIR:-/var/tmp}/assay-bare.XXXXXX")}
trap remove_root EXIT
trap 'exit 1' INT TERM
as_root mkdir -p "$root"
as_root chmod 755 "$root" # apt reads it as a user of its own
[ -e "$root/etc/debian_version" ] || make_root
copy_apt_configuration
copy_sources
if [ $# -gt 0 ]; then
  in_root "$@"
else
  in_root check
  in_root test
fi
