// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.collections.generic.ireadonlydictionary-2 IReadOnlyDictionary<TKey,TValue>
using System.Collections.Generic;
using System.Linq;

public static class Diff
{
    /// <summary>The keys of what differs. Values are compared with Equals, so lists by identity.</summary>
    public static (List<TKey> Added, List<TKey> Removed, List<TKey> Changed) Compare<TKey, TValue>(
        IReadOnlyDictionary<TKey, TValue> before, IReadOnlyDictionary<TKey, TValue> after)
    {
        var equal = EqualityComparer<TValue>.Default;
        return (
            after.Keys.Where(key => !before.ContainsKey(key)).ToList(),
            before.Keys.Where(key => !after.ContainsKey(key)).ToList(),
            after.Where(a => before.TryGetValue(a.Key, out var old) && !equal.Equals(old, a.Value))
                .Select(a => a.Key).ToList());
    }
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        var a = new Dictionary<string, int> { ["x"] = 1, ["y"] = 2, ["z"] = 3 };
        var b = new Dictionary<string, int> { ["y"] = 5, ["z"] = 3, ["w"] = 4 };
        var d = Diff.Compare(a, b);
        System.Console.WriteLine($"+{string.Join(",", d.Added)} -{string.Join(",", d.Removed)} ~{string.Join(",", d.Changed)}");
    }
}
