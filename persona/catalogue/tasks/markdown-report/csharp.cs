// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.string.join String.Join
using System.Collections.Generic;
using System.Linq;

public static class Markdown
{
    /// <summary>An aligned table, readable in its source.</summary>
    public static string Table(IReadOnlyList<string> header, IEnumerable<IReadOnlyList<string>> rows)
    {
        var head = header.Select(Escape).ToList();
        var body = rows.Select(row => row.Select(Escape).ToList()).ToList();
        var widths = head.Select((name, i) => body.Select(row => row[i].Length).Append(name.Length).Max()).ToList();
        var lines = new List<string>
        {
            Line(head, widths),
            "|" + string.Join("|", widths.Select(w => new string('-', w + 2))) + "|",
        };
        lines.AddRange(body.Select(row => Line(row, widths)));
        return string.Join("\n", lines);
    }

    private static string Escape(string cell) =>
        cell.Replace("|", "\\|").Replace("\r\n", " ").Replace("\n", " ").Replace("\r", " ");

    private static string Line(IEnumerable<string> cells, IReadOnlyList<int> widths) =>
        "| " + string.Join(" | ", cells.Select((cell, i) => cell.PadRight(widths[i]))) + " |";
}
// snippet:check
public static class Program
{
    public static void Main() =>
        System.Console.WriteLine(Markdown.Table(new[] { "Team", "Open" }, new[] { new[] { "Payments", "12" }, new[] { "A|B", "3\r\n" } }));
}
// snippet:prints | Team     | Open |
// snippet:prints |----------|------|
// snippet:prints | Payments | 12   |
// snippet:prints | A\|B     | 3    |
