// snippet:doc https://learn.microsoft.com/en-us/dotnet/csharp/language-reference/operators/collection-expressions Collection expressions
// snippet:needs .NET 8
using System.Security.Cryptography;

public static class Merkle
{
    /// <summary>
    /// One hash that stands for all leaves. Leaves and nodes are hashed with different first
    /// bytes, so that a node cannot pass for a leaf (RFC 6962).
    /// </summary>
    public static byte[] Root(IEnumerable<byte[]> leaves)
    {
        byte[][] level = [.. leaves.Select(leaf => SHA256.HashData([0x00, .. leaf]))];
        if (level is [])
            throw new ArgumentException("there are no leaves", nameof(leaves));
        while (level.Length > 1)
            level = [.. level.Chunk(2).Select(Node)];
        return level[0];
    }

    private static byte[] Node(byte[][] pair) => pair switch
    {
        [var left, var right] => SHA256.HashData([0x01, .. left, .. right]),
        [var single] => single,
        _ => throw new ArgumentException("a node has one or two children"),
    };
}
