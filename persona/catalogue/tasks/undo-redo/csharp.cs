// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.collections.generic.stack-1 Stack<T>
using System;
using System.Collections.Generic;

public sealed class History
{
    private readonly Stack<(Action Do, Action Undo)> done = new();
    private readonly Stack<(Action Do, Action Undo)> undone = new();

    public void Execute(Action change, Action undo)
    {
        change();
        done.Push((change, undo));
        undone.Clear(); // something new happened: the other branch is gone
    }

    public bool Undo() => Move(done, undone, step => step.Undo());
    public bool Redo() => Move(undone, done, step => step.Do());

    private static bool Move<T>(Stack<T> from, Stack<T> to, Action<T> act)
    {
        if (from.Count == 0)
            return false;
        act(from.Peek()); // should it fail, both stacks stay as they are
        to.Push(from.Pop());
        return true;
    }
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        var text = "";
        var history = new History();
        history.Execute(() => text += "a", () => text = text.Substring(0, text.Length - 1));
        history.Execute(() => text += "b", () => text = text.Substring(0, text.Length - 1));
        history.Undo();
        Console.Write(text + " ");
        history.Redo();
        Console.Write(text + " ");
        history.Undo();
        history.Execute(() => text += "c", () => text = text.Substring(0, text.Length - 1));
        Console.WriteLine($"{text} {history.Redo()}");
    }
}
