// snippet:doc https://learn.microsoft.com/en-us/dotnet/standard/base-types/regular-expression-source-generators Regular expression source generators
// snippet:needs .NET 7
using System.Globalization;
using System.Text.RegularExpressions;

public static partial class Dice
{
    [GeneratedRegex(@"^(?<n>[1-9][0-9]?)?d(?<sides>[1-9][0-9]{0,2})(?<plus>[+-][0-9]{1,3})?\z")]
    private static partial Regex Notation();

    /// <summary>Rolls "3d6+2" and returns each die and the sum.</summary>
    public static (int[] Dice, int Sum) Roll(string text, Random random)
    {
        var match = Notation().Match(text);
        if (!match.Success)
            throw new FormatException($"not a roll: {text}");
        var n = Number("n", missing: 1);
        var sides = Number("sides", missing: 0);
        var dice = Enumerable.Range(0, n).Select(_ => random.Next(1, sides + 1)).ToArray();
        return (dice, dice.Sum() + Number("plus", missing: 0));

        int Number(string group, int missing) =>
            match.Groups[group] is { Length: > 0 } found
                ? int.Parse(found.ValueSpan, provider: CultureInfo.InvariantCulture)
                : missing;
    }
}
