# A sum of metres and feet must not compile.
mkdir mixed
sed "s/Metres'(2.0) \* Metres'(3.0)/Square_Metres (Metres'(2.0) + Feet'(3.0))/" "$1" >mixed/main.adb
cd mixed
if gnatmake -q -gnat2022 main.adb >out 2>&1; then exit 1; fi
grep -q 'invalid operand types for operator "+"' out
