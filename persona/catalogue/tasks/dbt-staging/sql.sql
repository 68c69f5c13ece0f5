-- snippet:doc https://docs.getdbt.com/best-practices/how-we-structure/2-staging Staging models
-- snippet:about dbt
-- snippet:check
CREATE TABLE raw.orders (order_id text, cust text, amount text, state text, loaded_at timestamp);
INSERT INTO raw.orders VALUES ('7', '1', '12.50', ' Open', '2026-03-01 10:00'), ('7', '1', '12.50', 'PAID', '2026-03-01 12:00'), ('8', '', '3.999', 'paid', '2026-03-01 12:00'), (NULL, '1', '1.00', 'paid', '2026-03-01 12:00'), ('', '1', '1.00', 'paid', '2026-03-01 12:00'), ('9', ' ', '', 'open', '2026-03-01 12:00'), ('8', '2', '1', 'lost', NULL), (' 9', '1', ' ', 'open', '2026-03-01 13:00');
-- models/sources.yml
-- sources: [{ name: shop, schema: raw, tables: [{ name: orders }] }]
-- snippet:end
-- dbt: models/staging/stg_shop__orders.sql
with loads as (
    select
        *,
        row_number() over (partition by cast(order_id as integer) order by loaded_at desc nulls last) as newest_first
    from {{ source('shop', 'orders') }}
    where nullif(trim(order_id), '') is not null
)

select
    cast(order_id as integer) as order_id,
    cast(nullif(trim(cust), '') as integer) as customer_id,
    cast(nullif(trim(amount), '') as decimal(12, 2)) as amount,
    lower(nullif(trim(state), '')) as status,
    loaded_at
from loads
where newest_first = 1
-- snippet:check
-- dbt build
SELECT * FROM stg_shop__orders ORDER BY order_id;
-- snippet:prints 7|1|12.50|paid|2026-03-01 12:00:00
-- snippet:prints 8|None|4.00|paid|2026-03-01 12:00:00
-- snippet:prints 9|1|None|open|2026-03-01 13:00:00
