# The lines of one login, and of the requests with its access tokens, as a table:
#
#	journalctl -u caddy -o cat | jq -Rnr --arg login XDA2FGHIJK -f login.jq
[inputs | fromjson? | select(type == "object")]
| (map(select(.login_id == $login).token_id // empty)) as $tokens
| .[] | select(.login_id == $login or (.token_id as $id | $id != null and ($tokens | index($id) != null)))
| [.ts, .msg, .client_id // "", .grant_type // "", .scope // "", .subject // "", .rule // "",
   (.request | if . then "\(.method) \(.uri | split("?")[0])" else "" end), .status // "", .reference]
| @tsv
