#!/bin/sh
# Runs a command in a root of another Debian suite, in this folder and without a network: trixie COMMAND ARGUMENTS
tools=$(cd "$(dirname "$0")/.." && pwd)
exec bwrap --ro-bind "$tools/$(basename "$0")" / --dev /dev --proc /proc --tmpfs /tmp --bind . /snippet --chdir /snippet \
  --unshare-net --unshare-pid --die-with-parent --setenv HOME /tmp --setenv PATH /usr/local/bin:/usr/bin:/bin "$@"
