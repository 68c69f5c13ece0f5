-- snippet:doc https://www.postgresql.org/docs/current/functions-matching.html#FUNCTIONS-POSIX-REGEXP POSIX regular expressions
-- snippet:into Run it in psql -qAt, without headings.
-- snippet:about PostgreSQL
-- snippet:usage
CREATE TABLE answer (id int, body text);
INSERT INTO answer VALUES
  (1, 'The more that you read, the more things you will know;'),
  (2, 'the more that you learn, the more places you will go.');
-- snippet:end
-- PostgreSQL: the commonest words of all answers, and in how many answers each occurs. What is a letter or a
-- capital is for the locale of the database to say.
SELECT found[1]                  AS word,
       count(*)                  AS occurrences,
       count(DISTINCT answer.id) AS answers,
       repeat('*', count(*)::int) AS bar
FROM answer
CROSS JOIN LATERAL regexp_matches(lower(body), '[[:alnum:]]+(?:[''’][[:alnum:]]+)*', 'g') AS found
GROUP BY word
ORDER BY occurrences DESC, word
LIMIT 4;
-- snippet:prints more|4|2|****
-- snippet:prints the|4|2|****
-- snippet:prints you|4|2|****
-- snippet:prints that|2|2|**
