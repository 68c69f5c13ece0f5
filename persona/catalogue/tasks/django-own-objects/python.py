# snippet:doc https://docs.djangoproject.com/en/stable/topics/http/shortcuts/#get-object-or-404 get_object_or_404
# snippet:about Django
# snippet:into Put it into an app of a Django project, whose URLconf includes its urlpatterns.
# snippet:check
import project
# snippet:prints owner 200
# snippet:prints other 404
# snippet:prints stranger 302
# snippet:end
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db import models
from django.http import JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import path


class Invoice(models.Model):
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    total = models.DecimalField(max_digits=10, decimal_places=2)


@login_required
def invoice(request, pk):
    # Not objects.get(pk=pk): the number in the URL can be counted up by anybody.
    found = get_object_or_404(Invoice, pk=pk, owner=request.user)
    return JsonResponse({"total": str(found.total)})


urlpatterns = [path("invoices/<int:pk>/", invoice)]

# snippet:check
project.create_tables()
from django.contrib.auth.models import User
from django.test import Client
owner, other = User.objects.create_user("owner"), User.objects.create_user("other")
pk = Invoice.objects.create(owner=owner, total="12.50").pk
for user in (owner, other):
    client = Client()
    client.force_login(user)
    print(user.username, client.get(f"/invoices/{pk}/").status_code)
print("stranger", Client().get(f"/invoices/{pk}/").status_code)
