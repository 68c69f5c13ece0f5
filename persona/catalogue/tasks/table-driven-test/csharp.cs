// snippet:doc https://xunit.net/docs/getting-started/v3/getting-started xUnit theories
// snippet:into Put it into a project made by dotnet new xunit: dotnet test
// snippet:needs .NET 8
using System.Globalization;
using Xunit;

public static class Initials
{
    public static string Of(string name) => string.Concat(
        name.Split(' ', StringSplitOptions.RemoveEmptyEntries)
            .Select(word => StringInfo.GetNextTextElement(word).ToUpperInvariant()));
}

public class InitialsTest
{
    [Theory]
    [InlineData("Ada Lovelace", "AL")]
    [InlineData("grace hopper", "GH")]
    [InlineData("e\u0301mile zola", "E\u0301Z")]
    [InlineData("  Alan   Turing ", "AT")]
    [InlineData("", "")]
    public void The_first_letter_of_each_word(string name, string expected) =>
        Assert.Equal(expected, Initials.Of(name));
}
