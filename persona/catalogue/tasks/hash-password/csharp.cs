// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.security.cryptography.rfc2898derivebytes.pbkdf2 Rfc2898DeriveBytes.Pbkdf2
using System.Security.Cryptography;

public static class Passwords
{
    private const int Iterations = 600_000, SaltSize = 16, KeySize = 32;

    /// <summary>"iterations.salt.key": the parameters are stored, so that they can grow.</summary>
    public static string Hash(string password)
    {
        var salt = RandomNumberGenerator.GetBytes(SaltSize);
        var key = Derive(password, salt, Iterations);
        return $"{Iterations}.{Convert.ToBase64String(salt)}.{Convert.ToBase64String(key)}";
    }

    public static bool Verify(string password, string stored)
    {
        if (stored.Split('.') is not [var iterations, var salt, var key])
            return false;
        var derived = Derive(password, Convert.FromBase64String(salt), int.Parse(iterations));
        return CryptographicOperations.FixedTimeEquals(derived, Convert.FromBase64String(key));
    }

    private static byte[] Derive(string password, byte[] salt, int iterations) =>
        Rfc2898DeriveBytes.Pbkdf2(password, salt, iterations, HashAlgorithmName.SHA256, KeySize);
}
