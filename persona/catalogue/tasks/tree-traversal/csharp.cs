// snippet:doc https://learn.microsoft.com/en-us/dotnet/csharp/language-reference/statements/yield The yield statement
using System.Collections.Generic;
using System.Linq;

public sealed class Node
{
    public Node(string name, params Node[] children) => (Name, Children) = (name, children);

    public string Name { get; }
    public IReadOnlyList<Node> Children { get; }

    /// <summary>This node and everything below it, parents first, with the depth.</summary>
    public IEnumerable<(Node Node, int Depth)> Walk(int depth = 0)
    {
        yield return (this, depth);
        foreach (var below in Children.SelectMany(child => child.Walk(depth + 1)))
            yield return below;
    }
}
// snippet:check
public static class Program
{
    public static void Main()
    {
        var menu = new Node("Shop", new Node("Books", new Node("Novels")), new Node("Music"));
        foreach (var at in menu.Walk())
            System.Console.WriteLine(new string('.', 2 * at.Depth) + at.Node.Name);
    }
}
