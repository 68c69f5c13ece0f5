// snippet:doc https://learn.microsoft.com/en-us/dotnet/csharp/language-reference/tokens/interpolated String interpolation
using System;
using System.Collections.Generic;
using System.Linq;

public static class BarChart
{
    public static string Draw(IReadOnlyDictionary<string, double> values, int width = 30)
    {
        var most = values.Values.DefaultIfEmpty().Max();
        var label = values.Keys.Select(name => name.Length).DefaultIfEmpty().Max();
        var lines = from entry in values
                    let length = most > 0 ? (int)Math.Round(Math.Max(entry.Value, 0) / most * width) : 0
                    select $"{entry.Key.PadRight(label)} {new string('█', length)} {entry.Value}";
        return string.Join(Environment.NewLine, lines);
    }
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        Console.WriteLine(BarChart.Draw(new Dictionary<string, double> { ["Mon"] = 1200, ["Tuesday"] = 1850, ["Wed"] = -0.5 }));
        Console.WriteLine(BarChart.Draw(new Dictionary<string, double>()) + ".");
    }
}
// snippet:prints Mon     ███████████████████ 1200
// snippet:prints Tuesday ██████████████████████████████ 1850
// snippet:prints Wed      -0.5
// snippet:prints .
