# snippet:doc https://docs.djangoproject.com/en/stable/topics/db/transactions/#performing-actions-after-commit Actions after commit
# snippet:about Django
# snippet:check
import project
# snippet:prints 1
# snippet:prints out of paper
# snippet:prints 1
# snippet:end
from functools import partial

from django.core.mail import send_mail
from django.db import models, transaction


class Order(models.Model):
    email = models.EmailField()


def confirm(order_id):
    order = Order.objects.get(pk=order_id)
    send_mail("Thank you", f"Your order has number {order.pk}.", None, [order.email])


@transaction.atomic
def place_order(email, pack):
    order = Order.objects.create(email=email)
    transaction.on_commit(partial(confirm, order.pk))
    pack(order)  # may fail: then there is no order, and no mail


# snippet:check
project.create_tables()
from django.core import mail
mail.outbox = []
place_order("ada@example.com", lambda order: None)
print(len(mail.outbox))


def jammed(order):
    raise RuntimeError("out of paper")


try:
    place_order("bob@example.com", jammed)
except RuntimeError as error:
    print(error)
print(len(mail.outbox))
assert Order.objects.count() == 1


def send_mail(*_):  # noqa: F811
    raise OSError("no mail server")


try:
    place_order("eve@example.com", lambda order: None)
except OSError:
    assert Order.objects.count() == 2
else:
    raise AssertionError("the error was lost")
