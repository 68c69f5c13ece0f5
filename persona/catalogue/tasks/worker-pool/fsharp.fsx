// snippet:doc https://fsharp.github.io/fsharp-core-docs/reference/fsharp-control-fsharpasync.html#Parallel Async.Parallel
open System.Net.Http

/// Status codes of many pages, at most eight requests at once, in the order of the list.
let statuses (client: HttpClient) (urls: string list) =
    let check (url: string) =
        async {
            try
                use! answer = client.GetAsync url |> Async.AwaitTask
                return url, Ok(int answer.StatusCode)
            with error ->
                return url, Error error.Message
        }

    Async.Parallel(List.map check urls, maxDegreeOfParallelism = 8)
