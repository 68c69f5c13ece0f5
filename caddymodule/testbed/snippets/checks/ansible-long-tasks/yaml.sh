# Both dumps run at the same time; a failed one fails the run and leaves no finished dump.
cat >dump <<'END'
#!/bin/bash
touch started."$1"
for _ in {1..300}; do
  [ "$1" = bad ] && exit 1
  [ -e started.shop ] && [ -e started.wiki ] && echo "data of $1" && exit
  sleep 0.1
done
exit 1
END
chmod +x dump
sed -e 's/hosts: databases/hosts: all/' "$1" >run.yaml
run() { ansible-playbook run.yaml -e "folder=$PWD pause=1 dump_program='cd $PWD && ./dump'" -e "$1"; }
run '{}' >first
grep -q 'data of shop' shop.dump && grep -q 'data of wiki' wiki.dump
[ "$(stat -c %a shop.dump)" = 600 ]
if run '{"databases": ["bad"]}' >second; then exit 1; fi
[ ! -e bad.dump ]
# A dump that another run is still writing is left alone.
echo begun >shop.unfinished
exec 8>>shop.unfinished
flock 8
if run '{"databases": ["shop"]}' >third; then exit 1; fi
grep -qx begun shop.unfinished
