-- snippet:doc https://docs.getdbt.com/docs/build/jinja-macros Jinja and macros
-- snippet:about dbt
-- snippet:check
CREATE TABLE raw.payments (paid_on date, method text, cents int);
INSERT INTO raw.payments VALUES ('2026-03-01', 'card', 500), ('2026-03-01', 'card', 200), ('2026-03-01', 'cash', 300), ('2026-03-02', 'voucher', 900), ('2026-03-02', NULL, 1);
-- models/stg_payments.sql
-- select * from raw.payments
-- snippet:end
-- dbt: models/revenue_by_method.sql
{% set methods = ['card', 'cash', 'transfer'] %}

select
    paid_on,
    {% for method in methods %}
    sum(case when method = '{{ method }}' then cents else 0 end) as {{ method }}_cents,
    {% endfor %}
    -- What nobody thought of, also without a method: the columns add up to the total.
    sum(case when method in ('{{ methods | join("', '") }}') then 0 else cents end) as other_cents,
    sum(cents) as total_cents
from {{ ref('stg_payments') }}
group by paid_on
-- snippet:check
-- dbt build
SELECT * FROM revenue_by_method ORDER BY paid_on;
-- snippet:prints 2026-03-01|700|300|0|0|1000
-- snippet:prints 2026-03-02|0|0|0|901|901
