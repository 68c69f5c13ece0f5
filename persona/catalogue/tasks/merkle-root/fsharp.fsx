// snippet:doc https://fsharp.github.io/fsharp-core-docs/reference/fsharp-collections-listmodule.html#chunkBySize List.chunkBySize
open System.Security.Cryptography

/// One hash that stands for all leaves. Leaves and nodes are hashed with different
/// first bytes, so that a node cannot pass for a leaf (RFC 6962).
let merkleRoot (leaves: byte[] list) =
    let leaf bytes = SHA256.HashData(Array.append [| 0uy |] bytes)

    let node pair =
        match pair with
        | [ left; right ] -> SHA256.HashData(Array.concat [ [| 1uy |]; left; right ])
        | single -> List.head single

    let rec climb level =
        match level with
        | [] -> invalidArg "leaves" "there are none"
        | [ root ] -> root
        | _ -> level |> List.chunkBySize 2 |> List.map node |> climb

    leaves |> List.map leaf |> climb
