// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.datetime.dayofweek DateTime.DayOfWeek
using System;
using System.Collections.Generic;
using System.Linq;

public static class Calendar
{
    /// <summary>Working days from the first day up to and including the last.</summary>
    public static int BusinessDays(DateTime first, DateTime last, ISet<DateTime> holidays) =>
        Enumerable.Range(0, Math.Max(0, (last.Date - first.Date).Days + 1))
            .Select(n => first.Date.AddDays(n))
            .Count(day => day.DayOfWeek != DayOfWeek.Saturday
                && day.DayOfWeek != DayOfWeek.Sunday
                && !holidays.Contains(day));
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        var holidays = new HashSet<DateTime> { new DateTime(2026, 12, 25), new DateTime(2027, 1, 1) };
        Console.WriteLine(Calendar.BusinessDays(new DateTime(2026, 12, 21), new DateTime(2027, 1, 4), holidays));
        Console.WriteLine(Calendar.BusinessDays(new DateTime(2027, 1, 4), new DateTime(2027, 1, 1), holidays));
    }
}
// snippet:prints 9
// snippet:prints 0
