# snippet:doc https://docs.djangoproject.com/en/stable/topics/db/managers/#creating-a-manager-with-queryset-methods QuerySet methods
# snippet:about Django
# snippet:check
import project
# snippet:prints ['Released']
# snippet:prints 2
# snippet:end
from django.db import models
from django.utils import timezone


class ArticleQuerySet(models.QuerySet):
    def published(self):
        return self.filter(publish_at__lte=timezone.now())

    def by(self, author):
        return self.filter(author=author)


class Article(models.Model):
    title = models.CharField(max_length=200)
    author = models.CharField(max_length=80)
    publish_at = models.DateTimeField(null=True, blank=True)  # null: a draft

    objects = ArticleQuerySet.as_manager()


def front_page(author):
    return Article.objects.published().by(author).order_by("-publish_at")


# snippet:check
project.create_tables()
now = timezone.now()
Article.objects.create(title="Released", author="ada", publish_at=now - timezone.timedelta(days=1))
Article.objects.create(title="Tomorrow", author="ada", publish_at=now + timezone.timedelta(days=1))
Article.objects.create(title="Draft", author="ada")
Article.objects.create(title="Other", author="bob", publish_at=now)
print([a.title for a in front_page("ada")])
print(Article.objects.published().count())
