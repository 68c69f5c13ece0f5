// snippet:doc https://xunit.net/docs/getting-started/v3/getting-started xUnit theories
using System;
using System.Linq;

public static class Initials
{
    public static string Of(string name) => string.Concat(
        name.Split(new[] { ' ' }, StringSplitOptions.RemoveEmptyEntries).Select(word => char.ToUpper(word[0])));
}

public static class InitialsTest
{
    private static readonly (string Case, string Input, string Expected)[] Cases =
    {
        ("two words", "Ada Lovelace", "AL"),
        ("lower case", "grace hopper", "GH"),
        ("extra spaces", "  Alan   Turing ", "AT"),
        ("nothing", "", ""),
    };

    public static int Run() => Cases.Count(c =>
    {
        var actual = Initials.Of(c.Input);
        Console.WriteLine(actual == c.Expected ? $"ok   {c.Case}" : $"FAIL {c.Case}: got {actual}");
        return actual != c.Expected;
    });
}
// snippet:check
public static class Program
{
    public static int Main() => InitialsTest.Run();
}
// snippet:prints ok   two words
// snippet:prints ok   lower case
// snippet:prints ok   extra spaces
// snippet:prints ok   nothing
