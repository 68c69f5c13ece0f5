# snippet:doc https://docs.djangoproject.com/en/stable/ref/models/expressions/#f-expressions F() expressions
# snippet:about Django
# snippet:check
import project
# snippet:prints True 1
# snippet:prints False 1
# snippet:end
from django.db import models
from django.db.models import F


class Product(models.Model):
    name = models.CharField(max_length=80)
    stock = models.PositiveIntegerField(default=0)


def take_from_stock(product_id: int, quantity: int) -> bool:
    """Returns False, and changes nothing, if there is not enough, or no such product."""
    if quantity < 1:
        raise ValueError("quantity must be at least 1")
    # product.stock -= quantity; product.save() would overwrite what others sold meanwhile.
    changed = Product.objects.filter(pk=product_id, stock__gte=quantity).update(stock=F("stock") - quantity)
    return changed == 1


# snippet:check
project.create_tables()
mug = Product.objects.create(name="mug", stock=3)
for _ in range(2):
    with project.queries() as queries:
        taken = take_from_stock(mug.pk, 2)
    assert len(queries) == 1
    mug.refresh_from_db()
    print(taken, mug.stock)
try:
    take_from_stock(mug.pk, -5)
except ValueError:
    pass
else:
    raise AssertionError("a negative quantity was taken")
