# A row that fails must show in the exit status.
sed '/if (failed == 1) stop/d' "$1" >failing.f90
gfortran failing.f90 -o failing
if ./failing >out 2>&1; then exit 1; fi
grep -q 'fails: 2100' out
