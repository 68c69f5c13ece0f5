// snippet:doc https://learn.microsoft.com/en-us/dotnet/standard/base-types/regular-expression-source-generators Regular expression source generators
// snippet:needs .NET 9
using System.Text.RegularExpressions;

public static partial class LogSummary
{
    [GeneratedRegex(@"^(?<hour>[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}):[0-9]{2}:[0-9]{2}\S* (ERROR|FATAL)\b")]
    private static partial Regex Error();

    /// <summary>Errors per hour; give it File.ReadLines(path), which reads as it goes.</summary>
    public static IEnumerable<KeyValuePair<string, int>> ErrorsPerHour(IEnumerable<string> lines) =>
        lines.Select(line => Error().Match(line))
            .Where(match => match.Success)
            .CountBy(match => match.Groups["hour"].Value)
            .OrderBy(hour => hour.Key, StringComparer.Ordinal);
}
