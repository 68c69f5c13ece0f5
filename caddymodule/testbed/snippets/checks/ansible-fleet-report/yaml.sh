# A host that answers has its facts in the report, and one that does not has a line as well.
sed -e 's/^localhost/web1/' hosts >both
echo 'web2 ansible_host=192.0.2.1 ansible_connection=ssh ansible_ssh_executable=/bin/false' >>both
ansible-playbook -i both "$1" -e "report=$PWD/servers.csv" >first || true
[ "$(wc -l <servers.csv)" = 3 ]
grep -qx "web1,Debian [0-9.]*,$(uname -r)" servers.csv || grep -q "^web1,.*,$(uname -r)$" servers.csv
grep -qx 'web2,no facts,' servers.csv
