-- snippet:doc https://docs.getdbt.com/best-practices/writing-custom-generic-tests Writing custom generic data tests
-- snippet:about dbt
-- snippet:needs dbt 1.10.8
-- snippet:check
CREATE TABLE raw.orders (id int, ordered_on date, shipped_on date);
INSERT INTO raw.orders VALUES (1, '2026-03-01', '2026-03-02'), (2, '2026-03-05', NULL), (3, '2026-03-07', '2026-03-06');
-- models/orders.sql
-- select * from raw.orders
-- models/orders.yml
-- models: [{ name: orders, columns: [{ name: shipped_on, data_tests: [{ not_before: { arguments: { earlier: ordered_on }, config: { where: "id < 3" } } }] }] }]
-- snippet:end
-- dbt: tests/generic/not_before.sql
{#
    columns:
      - name: shipped_on
        data_tests:
          - not_before:
              arguments: { earlier: ordered_on }
#}
{% test not_before(model, column_name, earlier) %}

select {{ earlier }}, {{ column_name }}
from {{ model }}
where {{ column_name }} < {{ earlier }}

{% endtest %}
-- snippet:check
-- dbt build
-- models/orders.yml
-- models: [{ name: orders, columns: [{ name: shipped_on, data_tests: [{ not_before: { arguments: { earlier: ordered_on } } }] }] }]
-- dbt build
-- snippet:prints pass not_before_orders_shipped_on__ordered_on
-- snippet:prints fail not_before_orders_shipped_on__ordered_on
