// snippet:doc https://learn.microsoft.com/en-us/dotnet/csharp/language-reference/operators/switch-expression The switch expression
// snippet:needs .NET 6
public enum Door { Open, Closed, Locked }
public enum Act { Open, Close, Lock, Unlock }

public static class DoorRules
{
    /// <summary>What is not among the rules cannot happen.</summary>
    public static Door After(this Door door, Act act) => (door, act) switch
    {
        (Door.Open, Act.Close) => Door.Closed,
        (Door.Closed, Act.Open) => Door.Open,
        (Door.Closed, Act.Lock) => Door.Locked,
        (Door.Locked, Act.Unlock) => Door.Closed,
        _ => throw new InvalidOperationException($"a door that is {door} does not react to {act}"),
    };
}
