# The password ends in a file of one reader, in no output, and a short one is refused.
sed -e 's/hosts: shop/hosts: all/' -e '/become:/d' "$1" >run.yaml
mkdir -p group_vars/all
echo 'open sesame, please' >password
run() { # VALUE
  echo "vault_database_password: $1" >group_vars/all/vault.yml
  ansible-vault encrypt --vault-password-file password group_vars/all/vault.yml >&2
  ansible-playbook run.yaml --vault-password-file password --diff -vvv -e "environment_file=$PWD/environment owner=$(id -un)"
}
run correct-horse-battery >first
grep -qx 'DATABASE_PASSWORD=correct-horse-battery' environment
[ "$(stat -c %a environment)" = 400 ]
if grep -q correct-horse first; then exit 1; fi
if grep -rq correct-horse group_vars; then exit 1; fi
if run hunter2 >second; then exit 1; fi
grep -q 'expected 16 or more' second
if grep -q hunter2 second; then exit 1; fi
if run '"a # in-the-middle-of-it"' >third; then exit 1; fi
grep -q 'expected 16 or more' third
if run '|
  correct-horse-battery' >fourth; then exit 1; fi
grep -q 'expected 16 or more' fourth
