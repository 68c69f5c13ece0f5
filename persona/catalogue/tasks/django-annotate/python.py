# snippet:doc https://docs.djangoproject.com/en/stable/topics/db/aggregation/ Aggregation
# snippet:about Django
# snippet:check
import project
# snippet:prints billing 2
# snippet:prints search 1
# snippet:prints design 0
# snippet:prints new 0
# snippet:end
from django.db import models
from django.db.models import Count, Q


class Team(models.Model):
    name = models.CharField(max_length=80)


class Ticket(models.Model):
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="tickets")
    closed_at = models.DateTimeField(null=True)


def busiest_teams(limit=10):
    is_open = Q(tickets__closed_at__isnull=True)
    # The filter belongs to the count: as .filter() it would drop a team whose tickets are all closed.
    return Team.objects.annotate(open=Count("tickets", filter=is_open)).order_by("-open", "name")[:limit]


# snippet:check
project.create_tables()
from django.utils import timezone
billing, search, design, _ = (Team.objects.create(name=n) for n in ("billing", "search", "design", "new"))
for team, closed in [(billing, None), (billing, None), (search, None), (search, timezone.now()), (design, timezone.now())]:
    Ticket.objects.create(team=team, closed_at=closed)
with project.queries() as queries:
    for team in busiest_teams():
        print(team.name, team.open)
assert len(queries) == 1, queries
filtered = Team.objects.filter(tickets__closed_at__isnull=True).distinct()
assert sorted(team.name for team in filtered) == ["billing", "new", "search"]
