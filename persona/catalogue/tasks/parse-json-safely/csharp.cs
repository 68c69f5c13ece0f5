// snippet:doc https://learn.microsoft.com/en-us/dotnet/standard/serialization/system-text-json/required-properties Required properties in System.Text.Json
// snippet:needs .NET 9
using System.Text.Json;
using System.Text.Json.Serialization;

public sealed record Weather(
    [property: JsonRequired] string City,
    [property: JsonRequired] double Celsius,
    string? Note = null)
{
    private static readonly JsonSerializerOptions Options = new(JsonSerializerDefaults.Web)
    {
        RespectNullableAnnotations = true,
        NumberHandling = JsonNumberHandling.Strict, // the defaults for the web read numbers in quotes, too
    };

    /// <exception cref="FormatException">Says which member is missing or wrong.</exception>
    public static Weather Parse(string json)
    {
        try
        {
            return JsonSerializer.Deserialize<Weather>(json, Options)
                ?? throw new FormatException("expected an object, not null");
        }
        catch (JsonException error)
        {
            throw new FormatException($"weather at {error.Path}: {error.Message}", error);
        }
    }
}
