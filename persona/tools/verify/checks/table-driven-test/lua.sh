# A row that fails must show in the exit status.
sed 's/"GH"/"XX"/' "$1" >broken
! cmp -s "$1" broken
! lua5.4 broken >out
grep -q 'FAIL lower case' out
