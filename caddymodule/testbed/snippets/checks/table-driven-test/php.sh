# A row that fails must show in the exit status.
sed "s/'GH'/'XX'/" "$1" >broken
if cmp -s "$1" broken; then exit 1; fi
if php broken >out; then exit 1; fi
grep -q 'FAIL lower case' out
