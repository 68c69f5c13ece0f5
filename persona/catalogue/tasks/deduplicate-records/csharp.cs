// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.linq.enumerable.groupby Enumerable.GroupBy
using System;
using System.Collections.Generic;
using System.Linq;

public sealed class Contact
{
    public string Email { get; set; }
    public string Name { get; set; }
    public DateTime Updated { get; set; }

    public string Key => Email.Trim().ToLowerInvariant();
}

public static class Contacts
{
    // The newest record of each address; addresses that mean the same count as one.
    public static List<Contact> Deduplicate(IEnumerable<Contact> contacts) =>
        contacts.GroupBy(c => c.Key)
            .Select(same => same.OrderByDescending(c => c.Updated).First())
            .ToList();
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        var day = new DateTime(2026, 1, 1);
        var kept = Contacts.Deduplicate(new[]
        {
            new Contact { Email = "Ada@Example.com ", Name = "Ada", Updated = day },
            new Contact { Email = "bob@example.com", Name = "Bob", Updated = day },
            new Contact { Email = "ada@example.com", Name = "Ada L.", Updated = day.AddDays(9) },
        });
        Console.WriteLine(string.Join(", ", kept.Select(c => c.Name)));
    }
}
// snippet:prints Ada L., Bob
