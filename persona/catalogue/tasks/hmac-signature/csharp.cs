// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.security.cryptography.cryptographicoperations.fixedtimeequals FixedTimeEquals
// snippet:needs .NET 7
using System.Security.Cryptography;
using System.Text;

public static class WebHook
{
    /// <summary>Whether the body was signed with our secret: "sha256=" and the HMAC in hex.</summary>
    public static bool IsAuthentic(ReadOnlySpan<byte> body, string? header, byte[] secret)
    {
        const string prefix = "sha256=";
        if (header is null || !header.StartsWith(prefix, StringComparison.Ordinal))
            return false;

        Span<byte> expected = stackalloc byte[HMACSHA256.HashSizeInBytes];
        HMACSHA256.HashData(secret, body, expected);
        var signature = Encoding.ASCII.GetBytes(header[prefix.Length..].ToLowerInvariant());
        var wanted = Encoding.ASCII.GetBytes(Convert.ToHexString(expected).ToLowerInvariant());
        return CryptographicOperations.FixedTimeEquals(wanted, signature);
    }
}
