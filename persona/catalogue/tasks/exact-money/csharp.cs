// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.decimal Decimal
using System;
using System.Collections.Generic;
using System.Linq;

public static class Money
{
    /// <summary>Splits an amount by ratios so that not one cent is lost; decimal counts exactly.</summary>
    public static IReadOnlyList<decimal> Split(decimal amount, params int[] ratios)
    {
        var cents = decimal.Truncate(amount * 100);
        if (cents != amount * 100)
            throw new ArgumentException($"{amount} has fractions of a cent", nameof(amount));
        if (ratios.Length == 0 || ratios.Any(ratio => ratio <= 0))
            throw new ArgumentException("ratios must be positive", nameof(ratios));
        var total = ratios.Sum();
        // Whole cents; without the remainder the division is exact.
        var shares = ratios.Select(ratio => (cents * ratio - cents * ratio % total) / total).ToArray();
        var left = (int)(cents - shares.Sum()); // as negative as the amount
        for (var i = 0; i < Math.Abs(left); i++)
            shares[i] += Math.Sign(left); // the first ones get the cents that are left
        return shares.Select(share => share / 100).ToArray();
    }
}
// snippet:usage
public static class Program
{
    public static void Main()
    {
        System.Globalization.CultureInfo.CurrentCulture = System.Globalization.CultureInfo.InvariantCulture;
        Console.WriteLine(string.Join(" ", Money.Split(100m, 1, 1, 1)));
        Console.WriteLine($"{0.1 + 0.2 == 0.3} {0.1m + 0.2m == 0.3m} {Money.Split(0.05m, 3, 7).Sum()}");
    }
}
// snippet:prints 33.34 33.33 33.33
// snippet:prints False True 0.05
