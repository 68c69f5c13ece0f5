// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.text.regularexpressions.regex.matches Regex.Matches
using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;

public static class Words
{
    // Words of letters: a digit ends one.
    public static IEnumerable<(string Word, int Count)> MostFrequent(string text, int n) =>
        Regex.Matches(text.ToLowerInvariant(), @"\p{L}[\p{L}\p{M}]*(?:['’]\p{L}[\p{L}\p{M}]*)*").Cast<Match>()
            .GroupBy(match => match.Value, System.StringComparer.OrdinalIgnoreCase) // ς and σ
            .OrderByDescending(group => group.Count()).ThenBy(group => group.Key)
            .Take(n)
            .Select(group => (group.Key, group.Count()));
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        foreach (var w in Words.MostFrequent("The cat and the hat. Don't! The 'hat', don't ' you see? ❤️ ❤️ ❤️ ❤️", 3))
            System.Console.WriteLine($"{w.Word} {w.Count}");
    }
}
// snippet:prints the 3
// snippet:prints don't 2
// snippet:prints hat 2
