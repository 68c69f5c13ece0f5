# snippet:doc https://docs.djangoproject.com/en/stable/ref/models/querysets/#prefetch-related prefetch_related
# snippet:about Django
# snippet:check
import project
# snippet:prints Ada 3
# snippet:prints Bob 1
# snippet:prints 2 queries
# snippet:end
from django.db import models


class Customer(models.Model):
    name = models.CharField(max_length=80)


class Order(models.Model):
    customer = models.ForeignKey(Customer, on_delete=models.PROTECT)


class Line(models.Model):
    order = models.ForeignKey(Order, on_delete=models.CASCADE, related_name="lines")
    quantity = models.PositiveIntegerField()


def orders_with_totals():
    # One row to join: select_related. Many rows each: prefetch_related.
    orders = Order.objects.select_related("customer").prefetch_related("lines").order_by("pk")
    # .all() uses what was fetched; .filter() or .aggregate() here would query again.
    return [(o.customer.name, sum(line.quantity for line in o.lines.all())) for o in orders]


# snippet:check
project.create_tables()
for name, quantities in [("Ada", [1, 2]), ("Bob", [1])]:
    order = Order.objects.create(customer=Customer.objects.create(name=name))
    for quantity in quantities:
        Line.objects.create(order=order, quantity=quantity)
with project.queries() as queries:
    for name, total in orders_with_totals():
        print(name, total)
print(len(queries), "queries")
