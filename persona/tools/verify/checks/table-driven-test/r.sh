# A row that fails must show in the exit status.
sed 's/GH/XX/' "$1" >broken
! cmp -s "$1" broken
! Rscript --vanilla broken >out
grep -q '1 failed' out
