# snippet:doc https://docs.djangoproject.com/en/stable/ref/models/constraints/ Constraints
# snippet:about Django
# snippet:check
import project
# snippet:prints seat_booked_once
# snippet:prints price_not_negative
# snippet:prints 3
# snippet:needs Django 5.1
# snippet:end
from django.db import models
from django.db.models import Q


class Booking(models.Model):
    seat = models.CharField(max_length=8)
    price = models.DecimalField(max_digits=8, decimal_places=2)
    cancelled = models.BooleanField(default=False)

    class Meta:
        constraints = [
            # Any number of cancelled bookings, but one that is valid.
            models.UniqueConstraint(fields=["seat"], condition=Q(cancelled=False), name="seat_booked_once"),
            models.CheckConstraint(condition=Q(price__gte=0), name="price_not_negative"),
        ]


# snippet:check
project.create_tables()
from django.db import IntegrityError, transaction
Booking.objects.create(seat="4A", price=20, cancelled=True)
Booking.objects.create(seat="4A", price=20, cancelled=True)
Booking.objects.create(seat="4A", price=20)
for wrong, name in [({"seat": "4A", "price": 20}, "seat_booked_once"), ({"seat": "5B", "price": -1}, "price_not_negative")]:
    try:
        with transaction.atomic():
            Booking.objects.create(**wrong)
    except IntegrityError as error:
        assert "seat" in str(error) if name.startswith("seat") else name in str(error), error
        print(name)
print(Booking.objects.count())
