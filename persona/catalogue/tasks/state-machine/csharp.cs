// snippet:doc https://learn.microsoft.com/en-us/dotnet/csharp/language-reference/builtin-types/value-tuples Tuple types
using System;
using System.Collections.Generic;

public enum Door { Open, Closed, Locked }
public enum Act { Open, Close, Lock, Unlock }

public static class DoorRules
{
    private static readonly Dictionary<(Door, Act), Door> Next = new Dictionary<(Door, Act), Door>
    {
        [(Door.Open, Act.Close)] = Door.Closed,
        [(Door.Closed, Act.Open)] = Door.Open,
        [(Door.Closed, Act.Lock)] = Door.Locked,
        [(Door.Locked, Act.Unlock)] = Door.Closed,
    };

    // What is not in the table cannot happen.
    public static Door After(this Door door, Act act) =>
        Next.TryGetValue((door, act), out var next)
            ? next
            : throw new InvalidOperationException($"a door that is {door} does not react to {act}");
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        Console.WriteLine(Door.Open.After(Act.Close).After(Act.Lock));
        try { Door.Locked.After(Act.Open); }
        catch (InvalidOperationException e) { Console.WriteLine(e.Message); }
    }
}
// snippet:prints Locked
// snippet:prints a door that is Locked does not react to Open
