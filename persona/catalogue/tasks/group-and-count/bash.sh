#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/bash/manual/html_node/Arrays.html Arrays
# snippet:description Count the failed logins in the lines of sshd's log, by address and by user name, and list the five most
# snippet:description frequent of each. A line is parsed from its end, so that a forged user name cannot pass for an address.
# snippet:description Lines that the logger has folded ("message repeated 3 times") and those with a certificate do not count.
# snippet:needs Bash 4.3
# Failed logins by address and by user, from the lines of sshd's log on standard input.
declare -A by_address=() by_user=()

count_failures() {
  local line user address
  # Read from the end: a user name may itself say "from 192.0.2.1 port 22".
  local -r pattern='Failed [^ ]+ for (invalid user )?(.*) from ([^ ]+) port [0-9]+ ssh2(: [A-Z0-9-]+ SHA256:[^ ]+)?$'
  while IFS= read -r line || [[ $line ]]; do # also a last line without an end
    [[ $line =~ $pattern ]] || continue
    user=${BASH_REMATCH[2]:-(none)} address=${BASH_REMATCH[3]}
    # Not ((by_user[$user]++)): arithmetic would run code that an attacker put into a name.
    by_user[$user]=$((${by_user[$user]:-0} + 1))
    by_address[$address]=$((${by_address[$address]:-0} + 1))
  done
}

top() {
  local -n counts=$1 # a name reference: the caller says which table
  local key
  for key in "${!counts[@]}"; do
    printf '%6d %s\n' "${counts[$key]}" "$key"
  done | sort -k 1,1nr -k 2 | head -n 5
}
# snippet:usage
count_failures << 'LOG'
sshd[7]: Failed password for invalid user admin from 203.0.113.9 port 40022 ssh2
sshd[8]: Failed password for root from 203.0.113.9 port 40031 ssh2
sshd[9]: Accepted publickey for ana from 192.0.2.4 port 50000 ssh2
LOG
top by_address
top by_user
# snippet:prints      2 203.0.113.9
# snippet:prints      1 admin
# snippet:prints      1 root
# snippet:check
count_failures << 'LOG'
sshd[8]: Failed password for invalid user x from 192.0.2.1 port 22 from 203.0.113.9 port 40032 ssh2
sshd[8]: Failed password for invalid user  from 198.51.100.7 port 1 ssh2
sshd[9]: Invalid user Failed password for root from 203.0.113.9 port 40033
sshd[9]: Failed publickey for root from 198.51.100.7 port 1 ssh2: ED25519 SHA256:abc+/0
LOG
top by_address
top by_user
# snippet:prints      3 203.0.113.9
# snippet:prints      2 198.51.100.7
# snippet:prints      2 root
# snippet:prints      1 (none)
# snippet:prints      1 admin
# snippet:prints      1 x from 192.0.2.1 port 22
