// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.dateonly DateOnly
// snippet:needs .NET 6
public static class Calendar
{
    /// <summary>Working days from the first day up to and including the last.</summary>
    public static int BusinessDays(DateOnly first, DateOnly last, IReadOnlySet<DateOnly> holidays) =>
        Enumerable.Range(0, Math.Max(0, last.DayNumber - first.DayNumber + 1))
            .Select(first.AddDays)
            .Count(day => day.DayOfWeek is not (DayOfWeek.Saturday or DayOfWeek.Sunday)
                && !holidays.Contains(day));
}
