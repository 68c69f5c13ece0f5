#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/gawk/manual/html_node/Arrays.html Arrays in awk
# latest_per_key: of "email,updated,name" lines keep the newest for each address, in first-seen
# order. Addresses that differ only in case or in the blanks around them are the same person;
# some awks know the case of ASCII letters only.
latest_per_key() {
  awk -F, '
    {
      key = tolower($1)
      gsub(/^[[:space:]]+|[[:space:]]+$/, "", key)
      if (key == "") key = "row " NR # without an address, nothing says that two are the same
    }
    !(key in updated) { order[++count] = key }
    !(key in updated) || $2 > updated[key] { updated[key] = $2; row[key] = $0 }
    END { for (i = 1; i <= count; i++) print row[order[i]] }
  '
}

latest_per_key << 'CONTACTS'
ana@example.com,2025-01-03,Ana
bo@example.com,2025-01-01,Bo
 Ana@Example.com,2025-02-11,Ana Maria
bo@example.com,2024-12-24,Bob
CONTACTS
# snippet:check
printf '%s\n' ',2025-01-01,Cy' ' ,2025-01-02,Di' | latest_per_key
# snippet:prints  Ana@Example.com,2025-02-11,Ana Maria
# snippet:prints bo@example.com,2025-01-01,Bo
# snippet:prints ,2025-01-01,Cy
# snippet:prints  ,2025-01-02,Di
