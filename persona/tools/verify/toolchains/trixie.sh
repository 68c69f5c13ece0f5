#!/bin/sh
# Runs a command in the root of Debian 13, in this folder and without a network: trixie COMMAND ARGUMENTS
tools=$(cd "$(dirname "$0")/.." && pwd)
exec bwrap --ro-bind "$tools/trixie" / --dev /dev --proc /proc --tmpfs /tmp --bind . /snippet --chdir /snippet \
  --unshare-net --unshare-pid --die-with-parent --setenv HOME /tmp --setenv PATH /usr/local/bin:/usr/bin:/bin "$@"
