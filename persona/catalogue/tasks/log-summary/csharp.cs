// snippet:doc https://learn.microsoft.com/en-us/dotnet/standard/base-types/regular-expressions .NET regular expressions
using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;

public static class LogSummary
{
    private static readonly Regex Error =
        new Regex(@"^(?<hour>\d{4}-\d\d-\d\dT\d\d):\S+ (ERROR|FATAL)\b", RegexOptions.CultureInvariant);

    /// <summary>Errors per hour; give it File.ReadLines(path), which reads as it goes.</summary>
    public static IEnumerable<(string Hour, int Errors)> ErrorsPerHour(IEnumerable<string> lines) =>
        from line in lines
        let match = Error.Match(line)
        where match.Success
        group line by match.Groups["hour"].Value into errors
        orderby errors.Key
        select (errors.Key, errors.Count());
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        foreach (var h in LogSummary.ErrorsPerHour(new[] { "2026-05-04T11:00:01Z ERROR a", "2026-05-04T10:15:00Z FATAL b", "2026-05-04T10:20:00Z INFO ERROR", "x", "2026-05-04T10:59:00Z ERROR c" }))
            System.Console.WriteLine($"{h.Hour} {h.Errors}");
    }
}
// snippet:prints 2026-05-04T10 2
// snippet:prints 2026-05-04T11 1
