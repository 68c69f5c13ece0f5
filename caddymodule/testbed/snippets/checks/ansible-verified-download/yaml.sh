# The archive is installed, a second run changes nothing, and another archive than the expected one is refused.
mkdir -m 775 packed
echo 'echo works' >packed/exporter
tar czf good.tar.gz --owner=4711 --group=4711 -C packed .
sum=$(sha256sum good.tar.gz | cut -d ' ' -f 1)
run() { ansible-playbook "$file" -e "root=$PWD/opt source=file://$PWD/$1 checksum=sha256:$sum version=$2"; }
grep -v become: "$1" >run.yaml
file=run.yaml
run good.tar.gz 1 >first
[ "$(sh opt/current/exporter)" = works ]
[ "$(stat -c %u opt/1/exporter)" = "$(id -u)" ]
run good.tar.gz 1 >second
grep -q 'changed=0' second
echo 'echo evil' >exporter
tar czf evil.tar.gz exporter
if run evil.tar.gz 2 >third; then exit 1; fi
grep -q 'checksum' third
[ "$(sh opt/current/exporter)" = works ]
