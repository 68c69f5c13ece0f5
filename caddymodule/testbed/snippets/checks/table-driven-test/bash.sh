# A row that fails must show in the exit status.
sed 's/^5m|300|0$/5m|301|0/' "$1" >broken
if cmp -s "$1" broken; then exit 1; fi
if bash broken >out; then exit 1; fi
grep -q 'not ok: to_seconds "5m"' out
