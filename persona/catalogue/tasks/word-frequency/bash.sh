#!/usr/bin/env bash
# snippet:doc https://www.gnu.org/software/coreutils/manual/html_node/uniq-invocation.html uniq
# Small tools in a row. A word is letters only: don't is counted as don and t.
top_words() {
  grep --text --only-matching --extended-regexp '[[:alpha:]]+' | # one word a line
    sed 's/.*/\L&/' |
    sort |
    uniq --count |
    sort --key=1,1nr --key=2 |
    head --lines="${1:-10}"
}

top_words 4 << 'TEXT'
The more that you read, the more things you will know;
the more that you learn, the more places you will go.
TEXT
# snippet:prints       4 more
# snippet:prints       4 the
# snippet:prints       4 you
# snippet:prints       2 that
