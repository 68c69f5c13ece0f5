# A row that fails must show in the exit status, and does not stop the others.
sed "s/Want: 'hello-world'/Want: 'hello'/; s/Want: 'padded'/Want: 'wrong'/" "$1" >broken.pas
fpc -Mdelphi -obroken broken.pas >log
if ./broken >out; then exit 1; fi
grep -q "Slug('Hello World') is 'hello-world', not 'hello'" out
grep -q '3 cases, 2 failed' out
