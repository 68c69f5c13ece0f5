// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.security.cryptography.randomnumbergenerator RandomNumberGenerator
// snippet:needs .NET 9
using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;

public static class Tokens
{
    /// <summary>An unguessable token for links and sessions: 256 bits, safe in a URL.</summary>
    public static string Create() => Base64Url.EncodeToString(RandomNumberGenerator.GetBytes(32));

    /// <summary>What is stored is only the token's hash: a leaked table opens no doors.</summary>
    public static string HashOf(string token) =>
        Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(token)));

    /// <summary>A code to type, without I, O, 0 and 1: 40 bits, so count failed attempts.</summary>
    public static string CreateCode(int length = 8) =>
        RandomNumberGenerator.GetString("ABCDEFGHJKLMNPQRSTUVWXYZ23456789", length);
}
