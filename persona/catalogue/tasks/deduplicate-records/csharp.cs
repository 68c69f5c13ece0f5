// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.linq.enumerable.maxby Enumerable.MaxBy
// snippet:needs .NET 6
public sealed record Contact(string? Email, string Name, DateOnly Updated)
{
    public string Key => Email?.Trim().ToLowerInvariant() ?? "";
}

public static class Contacts
{
    /// <summary>The newest record of each address, whatever its case and the spaces around it.</summary>
    public static List<Contact> Deduplicate(IEnumerable<Contact> contacts) =>
        contacts.GroupBy(c => c.Key is "" ? new object() : c.Key) // no address: nothing says that two are the same
            .Select(same => same.MaxBy(c => c.Updated)!) // a group is never empty
            .ToList();
}
