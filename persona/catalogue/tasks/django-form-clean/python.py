# snippet:doc https://docs.djangoproject.com/en/stable/ref/forms/validation/ Form and field validation
# snippet:about Django
# snippet:check
import project
# snippet:prints {'end': ['The end must be after the start.']}
# snippet:prints {'start': ['Enter a valid date.']}
# snippet:prints 2025-03-01
# snippet:end
from django import forms


class BookingForm(forms.Form):
    start = forms.DateField()
    end = forms.DateField()
    guests = forms.IntegerField(min_value=1, max_value=8)

    def clean(self):
        cleaned = super().clean()
        start, end = cleaned.get("start"), cleaned.get("end")
        # A field that failed by itself is not there, and has its own message already.
        if start and end and end <= start:
            self.add_error("end", "The end must be after the start.")
        return cleaned


# snippet:check
assert project
print(dict(BookingForm({"start": "2025-03-02", "end": "2025-03-01", "guests": "2"}).errors))
print(dict(BookingForm({"start": "soon", "end": "2025-03-01", "guests": "2"}).errors))
form = BookingForm({"start": "2025-03-01", "end": "2025-03-04", "guests": "2"})
assert form.is_valid(), form.errors
print(form.cleaned_data["start"])
