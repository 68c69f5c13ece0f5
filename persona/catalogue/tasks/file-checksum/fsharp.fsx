// snippet:doc https://learn.microsoft.com/en-us/dotnet/api/system.security.cryptography.sha256.hashdata SHA256.HashData
// snippet:needs .NET 9
open System
open System.IO
open System.Security.Cryptography

/// The file's SHA-256 in lower-case hex; it is read in blocks, whatever its size.
let sha256OfFile (path: string) =
    use file = File.OpenRead path
    SHA256.HashData file |> Convert.ToHexStringLower

/// Names of files that are missing or whose content is no longer what the list says.
let changed (expected: Map<string, string>) =
    expected
    |> Map.filter (fun path sum -> not (File.Exists path) || sha256OfFile path <> sum.ToLowerInvariant())
    |> Map.keys
    |> List.ofSeq
