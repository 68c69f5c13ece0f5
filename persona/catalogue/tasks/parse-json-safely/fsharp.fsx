// snippet:doc https://learn.microsoft.com/en-us/dotnet/fsharp/language-reference/results Results
type Error =
    | Missing of field: string
    | Wrong of field: string * expected: string

type Weather = { City: string; Celsius: float }

let required field (parse: string -> 'T option) expected (data: Map<string, string>) =
    match Map.tryFind field data with
    | None -> Error(Missing field)
    | Some text -> parse text |> Option.map Ok |> Option.defaultValue (Error(Wrong(field, expected)))

let tryFloat (text: string) =
    match System.Double.TryParse text with
    | true, number -> Some number
    | _ -> None

let weather data =
    required "city" (fun text -> if text = "" then None else Some text) "a name" data
    |> Result.bind (fun city ->
        required "celsius" tryFloat "a number" data
        |> Result.map (fun celsius -> { City = city; Celsius = celsius }))
// snippet:check
for data in [ [ "city", "Oslo"; "celsius", "-3" ]; [ "city", "Oslo"; "celsius", "cold" ]; [ "celsius", "1" ] ] do
    match weather (Map.ofList data) with
    | Ok w -> printfn "%s %.0f" w.City w.Celsius
    | Error(Missing f) -> printfn "%s is missing" f
    | Error(Wrong(f, e)) -> printfn "%s is not %s" f e
// snippet:prints Oslo -3
// snippet:prints celsius is not a number
// snippet:prints city is missing
