# A step or a beginning that is not in the table must fail.
for statement in "UPDATE orders SET state = 'new'" "INSERT INTO orders VALUES (2, 'delivered')" "REPLACE INTO orders VALUES (1, 'new')" \
  "INSERT INTO orders (id) VALUES (2); UPDATE OR REPLACE orders SET id = 1 WHERE id = 2"; do
  if { cat "$1"; echo "$statement;"; } | sqlite3 -batch -bail :memory: >/dev/null 2>&1; then
    echo "accepted: $statement"
    exit 1
  fi
done
