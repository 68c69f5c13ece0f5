// snippet:doc https://learn.microsoft.com/en-us/dotnet/csharp/language-reference/builtin-types/nullable-value-types Nullable value types
// snippet:needs .NET 8
/// <summary>Steadies a noisy signal with one number of memory.</summary>
/// <param name="alpha">0 to 1: how much a new reading counts.</param>
public sealed class Smoother(double alpha)
{
    public double? Value { get; private set; }

    public double Add(double reading)
    {
        // The first reading is the best guess there is.
        var smoothed = Value is { } last ? last + alpha * (reading - last) : reading;
        Value = smoothed;
        return smoothed;
    }
}
