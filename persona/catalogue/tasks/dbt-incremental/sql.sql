-- snippet:doc https://docs.getdbt.com/docs/build/incremental-models Incremental models
-- snippet:about dbt
-- snippet:check
CREATE TABLE raw.payments (id int, status text, cents int, updated_at timestamp);
INSERT INTO raw.payments VALUES (1, 'open', 500, '2026-03-01 10:00'), (2, 'paid', 700, '2026-03-04 09:00');
-- models/sources.yml
-- sources: [{ name: shop, schema: raw, tables: [{ name: payments }] }]
-- snippet:end
-- dbt: models/payments.sql
{{ config(
    materialized='incremental',
    incremental_strategy='merge',
    unique_key='id'
) }}

select id, status, cents, updated_at
from {{ source('shop', 'payments') }}
{% if is_incremental() %}
-- What comes more than three days late needs: dbt build --full-refresh --select payments
where updated_at >= coalesce((select max(updated_at) from {{ this }}), timestamp '1900-01-01') - interval '3 days'
{% endif %}
-- snippet:check
-- dbt build
INSERT INTO raw.payments VALUES (3, 'paid', 900, '2026-03-02 12:00'), (4, 'paid', 1, '2026-02-20 00:00');
UPDATE raw.payments SET status = 'paid' WHERE id = 1;
-- dbt build
SELECT * FROM payments ORDER BY id;
-- dbt build --full-refresh --select payments
SELECT count(*) FROM payments;
DELETE FROM payments;
-- dbt build
SELECT count(*) FROM payments;
-- snippet:prints 1|paid|500|2026-03-01 10:00:00
-- snippet:prints 2|paid|700|2026-03-04 09:00:00
-- snippet:prints 3|paid|900|2026-03-02 12:00:00
-- snippet:prints 4
-- snippet:prints 4
