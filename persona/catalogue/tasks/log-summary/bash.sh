#!/usr/bin/env bash
# snippet:description For each hour of an access log: how many requests there were, and how many of them were answered with a server
# snippet:description error. The path that failed most often stands beside them.
# snippet:doc https://www.gnu.org/software/gawk/manual/html_node/Arrays.html Arrays in awk
# errors_per_hour <access log>: requests and 5xx answers of each hour, and the worst path.
errors_per_hour() {
  awk '
    # $4 is "[05/Mar/2025:10:17:31": the hour is what stands before the second colon.
    # The status follows the quote: a request may hold spaces.
    $4 !~ /^\[/ || !match($0, /" [1-5][0-9][0-9] /) { next } # a line of another form
    {
      hour = substr($4, 2, 14); requests[hour]++
      split($0, quoted, "\""); split(quoted[2], request, " ") # method, path, protocol
    }
    substr($0, RSTART + 2, 1) == 5 {
      errors[hour]++
      count = ++failed[hour, request[2]]
      if (count > worst[hour]) { worst[hour] = count; path[hour] = request[2] }
    }
    END {
      for (hour in requests)
        printf "%s %6d requests %5d errors %5.1f%%  %s\n", hour, requests[hour],
          errors[hour], 100 * errors[hour] / requests[hour], path[hour]
    }
  ' "$@" | LC_ALL=C sort --key=1.8,1.11n --key=1.4,1.6M --key=1.1,1.2n --key=1.13,1.14n
}
# snippet:check
log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "a line of another form" > "$log"
for entry in "09:59 / 200" "10:00 /pay 502" "10:10 /cart 500" "10:59 /pay 503" "10:59 /pay 200"; do
  read -r time path status <<< "$entry"
  echo "10.0.0.1 - - [05/Mar/2025:$time:00 +0000] \"GET $path HTTP/1.1\" $status 12" >> "$log"
done
echo '10.0.0.1 - - [05/Mar/2025:10:59:01 +0000] "GET /pay a b HTTP/1.1" 500 12' >> "$log"
echo '10.0.0.1 - - [05/Mar/2025:11:00:00 +0000] "-" 500 0' >> "$log"
errors_per_hour "$log"
# snippet:prints 05/Mar/2025:09      1 requests     0 errors   0.0%
# snippet:prints 05/Mar/2025:10      5 requests     4 errors  80.0%  /pay
# snippet:prints 05/Mar/2025:11      1 requests     1 errors 100.0%
