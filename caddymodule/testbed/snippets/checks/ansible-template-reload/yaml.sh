# A good configuration is put in place and reloaded once; a bad one is refused and the old one stays.
sed -e 's/hosts: proxies/hosts: all/' -e '/become:/d' -e "s|/etc/nginx/|$PWD/|" -e '/owner: root/d' -e '/group: root/d' \
  -e 's/nginx -t -c %s.*/python3 -m json.tool %s/' -e 's/systemd_service/debug/' -e 's/name: nginx$/msg: TOLD/' \
  -e '/state: /d' -e '/enabled: /d' "$1" >run.yaml
echo '{"workers": 1}' >nginx.conf.j2
ansible-playbook run.yaml >first
ansible-playbook run.yaml >second
[ "$(grep -c TOLD first)" = 2 ] && [ "$(grep -c TOLD second)" = 1 ]
grep -q 'changed=0' second
echo '{"workers": ' >nginx.conf.j2
if ansible-playbook run.yaml >third; then exit 1; fi
grep -q 'failed to validate' third
grep -q '"workers": 1' nginx.conf
