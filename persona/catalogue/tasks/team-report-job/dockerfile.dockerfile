# syntax=docker/dockerfile:1
# snippet:check
# hadolint global ignore=DL3066,DL3059
# snippet:end
# snippet:doc https://docs.docker.com/reference/dockerfile/#here-documents Here-documents
# snippet:why One docker command makes the report, and Git need not be installed.
# snippet:description An image that writes a Markdown table of the commits of the last week by author, from the branch
# snippet:description that is checked out in the mounted repository. Merges are left out.
# snippet:about Docker
# snippet:needs Docker 23
# docker run --rm --user "$(id -u)" -v "$PWD:/repo:ro" weekly-report > report.md
FROM alpine:3.22

RUN apk add --no-cache git gawk

COPY --chmod=755 <<'SCRIPT' /usr/local/bin/weekly-report
#!/bin/sh
set -euo pipefail
since=${1:-1 week ago}
echo "## Since $since"
echo
echo "| author | commits |"
echo "| --- | ---: |"
git -C /repo shortlog --summary --numbered --no-merges --since="$since" HEAD |
  gawk '{ count = $1; $1 = ""; gsub(/\|/, "\\|"); printf "|%s | %d |\n", $0, count }'
SCRIPT

# The mounted repository may belong to somebody else; reading it is fine here.
RUN git config --system --add safe.directory /repo
USER nobody
ENTRYPOINT ["weekly-report"]
