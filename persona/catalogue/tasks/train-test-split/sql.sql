-- snippet:doc https://www.postgresql.org/docs/current/functions-binarystring.html Binary string functions
-- snippet:into Run it in psql -qAt, without headings.
-- snippet:description A hash of the patient decides on which side all visits of that patient are, so that nobody is both
-- snippet:description learned from and tested on. The sides stay as they are, also when rows are added.
-- snippet:why A random split would put one patient into both sets and flatter the model.
-- snippet:about PostgreSQL
-- snippet:usage
CREATE TABLE visit (patient int, day int);
INSERT INTO visit SELECT n % 200, n FROM generate_series(1, 1000) AS n;
INSERT INTO visit VALUES (NULL, 1);
-- snippet:end
-- PostgreSQL: about 20 % of the patients for the test, all their visits together. The hash keeps each
-- patient on its side for ever; ORDER BY random() would shuffle the sides with every run.
CREATE VIEW visit_split AS
SELECT visit.*,
       CASE
         WHEN get_byte(sha256(convert_to('split-v1/' || patient, 'UTF8')), 0) < 256 * 0.20
         THEN 'test'
         ELSE 'train'
       END AS side
FROM visit
WHERE patient IS NOT NULL;

SELECT side,
       count(DISTINCT patient) AS patients,
       count(*)                AS visits
FROM visit_split
GROUP BY side
ORDER BY side;
-- snippet:prints test|44|220
-- snippet:prints train|156|780
