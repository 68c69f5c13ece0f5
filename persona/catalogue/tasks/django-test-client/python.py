# snippet:doc https://docs.djangoproject.com/en/stable/topics/testing/tools/#the-test-client The test client
# snippet:into Save it as tests.py in an app of a Django project: python manage.py test
# snippet:about Django
# snippet:check
import project
# snippet:prints ok
# snippet:end
from django.http import JsonResponse
from django.test import Client, SimpleTestCase, override_settings
from django.urls import path
from django.views.decorators.http import require_POST


@require_POST
def subscribe(request):
    email = request.POST.get("email", "")
    if "@" not in email:
        return JsonResponse({"email": "Enter an e-mail address."}, status=422)
    return JsonResponse({"email": email}, status=201)


urlpatterns = [path("subscribe/", subscribe)]


@override_settings(ROOT_URLCONF=__name__)  # the addresses above, not the project's
class SubscribeTest(SimpleTestCase):
    def test_an_address_is_accepted(self):
        response = Client().post("/subscribe/", {"email": "ada@example.com"})
        self.assertEqual(response.status_code, 201)
        self.assertEqual(response.json(), {"email": "ada@example.com"})

    def test_a_missing_at_sign_is_explained(self):
        self.assertContains(Client().post("/subscribe/", {"email": "ada"}), "Enter an", status_code=422)


# snippet:check
import unittest
assert project
result = unittest.TextTestRunner(stream=open("/dev/null", "w")).run(unittest.defaultTestLoader.loadTestsFromTestCase(SubscribeTest))
assert result.testsRun == 2
print("ok" if result.wasSuccessful() else result.errors + result.failures)
