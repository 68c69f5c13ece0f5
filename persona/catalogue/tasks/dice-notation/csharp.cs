// snippet:doc https://learn.microsoft.com/en-us/dotnet/standard/base-types/grouping-constructs-in-regular-expressions Named groups
using System;
using System.Linq;
using System.Text.RegularExpressions;

public static class Dice
{
    private static readonly Regex Notation = new Regex(@"^(?<n>\d{0,2})d(?<sides>[1-9]\d{0,2})(?<plus>[+-]\d{1,3})?$");

    /// <summary>Rolls "3d6+2" and returns each die and the sum.</summary>
    public static (int[] Dice, int Sum) Roll(string text, Random random)
    {
        var match = Notation.Match(text);
        if (!match.Success)
            throw new FormatException($"not a roll: {text}");
        int.TryParse(match.Groups["n"].Value, out var n);
        int.TryParse(match.Groups["plus"].Value, out var plus);
        var sides = int.Parse(match.Groups["sides"].Value);
        var dice = Enumerable.Range(0, Math.Max(1, n)).Select(_ => random.Next(1, sides + 1)).ToArray();
        return (dice, dice.Sum() + plus);
    }
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        var roll = Dice.Roll("3d6+2", new Random(1));
        Console.WriteLine($"{roll.Dice.Length} {roll.Sum == roll.Dice.Sum() + 2} {roll.Dice.All(d => d >= 1 && d <= 6)} {Dice.Roll("d1-3", new Random(1)).Sum}");
        try { Dice.Roll("six", new Random()); }
        catch (FormatException e) { Console.WriteLine(e.Message); }
    }
}
// snippet:prints 3 True True -2
// snippet:prints not a roll: six
