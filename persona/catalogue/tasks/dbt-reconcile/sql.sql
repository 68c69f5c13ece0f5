-- snippet:doc https://docs.getdbt.com/docs/build/data-tests Data tests
-- snippet:about dbt
-- snippet:check
CREATE TABLE raw.payments (paid_on date, customer_id int, cents int);
CREATE TABLE raw.customers (id int);
INSERT INTO raw.payments VALUES ('2026-03-01', 1, 500), ('2026-03-01', 2, 200), ('2026-03-02', 3, 100);
INSERT INTO raw.customers VALUES (1), (2);
-- models/stg_payments.sql
-- select * from raw.payments
-- models/revenue.sql
-- select paid_on, sum(cents) as cents from {{ ref('stg_payments') }} join raw.customers on id = customer_id group by paid_on
-- snippet:end
-- dbt: tests/revenue_loses_nothing.sql
{{ config(store_failures=true) }}

with paid as (
    select paid_on, sum(cents) as cents
    from {{ ref('stg_payments') }}
    group by paid_on
),

reported as ( -- a day that is there twice counts twice
    select paid_on, sum(cents) as cents
    from {{ ref('revenue') }}
    group by paid_on
)

select
    coalesce(paid.paid_on, reported.paid_on) as paid_on,
    paid.cents as paid_cents,
    reported.cents as reported_cents
from paid
full outer join reported on reported.paid_on = paid.paid_on
where paid.cents is distinct from reported.cents
-- snippet:check
-- dbt build
SELECT * FROM main_dbt_test__audit.revenue_loses_nothing;
INSERT INTO raw.customers VALUES (3);
-- dbt build
-- snippet:prints fail revenue_loses_nothing
-- snippet:prints 2026-03-02|100|None
-- snippet:prints pass revenue_loses_nothing
