// snippet:doc https://learn.microsoft.com/en-us/dotnet/csharp/language-reference/builtin-types/nullable-value-types Nullable value types
/// <summary>Steadies a noisy signal with one number of memory.</summary>
public sealed class Smoother
{
    private readonly double alpha;

    /// <param name="alpha">0 to 1: how much a new reading counts.</param>
    public Smoother(double alpha) => this.alpha = alpha;

    public double? Value { get; private set; }

    public double Add(double reading)
    {
        // The first reading is the best guess there is.
        var smoothed = Value is double last ? last + alpha * (reading - last) : reading;
        Value = smoothed;
        return smoothed;
    }
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        var s = new Smoother(0.5);
        foreach (var x in new double[] { 20, 22, 30, 20 })
            System.Console.Write(s.Add(x) + " ");
        System.Console.WriteLine();
    }
}
// snippet:prints 20 21 25.5 22.75
