// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.security.cryptography.sha256.hashdataasync SHA256.HashDataAsync
// snippet:needs .NET 9
using System.Security.Cryptography;

public static class Checksum
{
    /// <summary>The file's SHA-256 in lower-case hex; it is read in blocks, whatever its size.</summary>
    public static async Task<string> OfFileAsync(string path, CancellationToken cancel = default)
    {
        await using var file = File.OpenRead(path);
        return Convert.ToHexStringLower(await SHA256.HashDataAsync(file, cancel));
    }

    public static async Task VerifyAsync(string path, string expected)
    {
        var actual = await OfFileAsync(path);
        if (!actual.Equals(expected.Trim(), StringComparison.OrdinalIgnoreCase))
            throw new InvalidDataException($"{path} has SHA-256 {actual}, not {expected}");
    }
}
