# A good release is current; after a bad one the old release is current again and the run has failed.
sed -e 's/hosts: web/hosts: all/' -e "s|/srv/shop|$PWD/shop|" "$1" >run.yaml
for release in 1 2; do
  mkdir -p shop/releases/$release
  printf '#!/bin/sh\nexit %s\n' $((release - 1)) >shop/releases/$release/smoke-test
  chmod +x shop/releases/$release/smoke-test
done
if ansible-playbook run.yaml -e release=2 >first; then exit 1; fi
grep -q 'Run the smoke test failed, nothing is current' first
[ ! -e shop/current ] && [ ! -L shop/current ]
ansible-playbook run.yaml -e release=1
[ "$(readlink shop/current)" = releases/1 ]
if ansible-playbook run.yaml -e release=2 >second; then exit 1; fi
grep -q 'Run the smoke test failed, releases/1 is current' second
[ "$(readlink shop/current)" = releases/1 ]
if ansible-playbook run.yaml -e release=3 >third; then exit 1; fi
[ "$(readlink shop/current)" = releases/1 ]
