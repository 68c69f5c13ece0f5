// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.collections.generic.dictionary-2 Dictionary<TKey,TValue>
using System;
using System.Collections.Generic;
using System.Linq;

public static class Dependencies
{
    /// <summary>Every name after all that it needs; an error names cycles and what waits for them.</summary>
    public static List<string> Order(IReadOnlyDictionary<string, string[]> needs)
    {
        var known = new HashSet<string>(needs.Keys); // exact, whatever the dictionary compares by
        var unknown = needs.Values.SelectMany(names => names).FirstOrDefault(need => !known.Contains(need));
        if (unknown != null)
            throw new ArgumentException(unknown + " is needed, but is not there");
        var order = new List<string>();
        var open = needs.ToDictionary(entry => entry.Key, entry => new HashSet<string>(entry.Value));
        while (open.Count > 0)
        {
            var ready = open.Where(entry => entry.Value.Count == 0).Select(entry => entry.Key).OrderBy(n => n).ToList();
            if (ready.Count == 0)
                throw new InvalidOperationException("a cycle among " + string.Join(", ", open.Keys.OrderBy(n => n)));
            order.AddRange(ready);
            foreach (var name in ready)
                open.Remove(name);
            foreach (var rest in open.Values)
                rest.ExceptWith(ready);
        }
        return order;
    }
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        var needs = new Dictionary<string, string[]> { ["deploy"] = new[] { "build", "test" }, ["test"] = new[] { "build" }, ["build"] = new string[0] };
        Console.WriteLine(string.Join(" ", Dependencies.Order(needs)));
        needs["build"] = new[] { "deploy" };
        try { Dependencies.Order(needs); }
        catch (InvalidOperationException e) { Console.WriteLine(e.Message); }
        needs["build"] = new[] { "compiler" };
        try { Dependencies.Order(needs); }
        catch (ArgumentException e) { Console.WriteLine(e.Message); }
    }
}
// snippet:prints build test deploy
// snippet:prints a cycle among build, deploy, test
// snippet:prints compiler is needed, but is not there
