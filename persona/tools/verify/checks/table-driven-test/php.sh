# A row that fails must show in the exit status.
sed "s/'GH'/'XX'/" "$1" >broken
! cmp -s "$1" broken
! php broken >out
grep -q 'FAIL lower case' out
