# A row that fails must show in the exit status, and does not stop the others.
mkdir broken
sed 's/(2024, True), (1900, False)/(2024, False), (1900, True)/' "$1" >broken/main.adb
cd broken
gnatmake -q -gnat2022 main.adb
if ./main >out; then exit 1; fi
grep -q 'FAIL 2024: not FALSE' out
grep -q 'FAIL 1900: not TRUE' out
grep -q 'cases: 4, failed: 2' out
