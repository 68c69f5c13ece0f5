// snippet:doc https://learn.microsoft.com/en-us/dotnet/standard/serialization/system-text-json/use-dom JsonDocument
// snippet:needs .NET 8
open System.Text.Json

type Weather = { City: string; Celsius: float; Note: string option }

/// The field's value, or None if it is missing or null; an error names the field.
let field name kind (root: JsonElement) =
    match root.TryGetProperty(name: string) with
    | true, value when value.ValueKind = kind -> Ok(Some value)
    | true, value when value.ValueKind <> JsonValueKind.Null -> Error $"{name}: expected {kind}"
    | _ -> Ok None

let required name kind root =
    field name kind root |> Result.bind (Option.map Ok >> Option.defaultValue (Error $"{name} is missing"))

let parse (json: string) =
    try
        use document = JsonDocument.Parse json
        let root = document.RootElement
        let city = required "city" JsonValueKind.String root
        let celsius = required "celsius" JsonValueKind.Number root
        match city, celsius, field "note" JsonValueKind.String root with
        | Ok city, Ok celsius, Ok note ->
            Ok { City = city.GetString(); Celsius = celsius.GetDouble(); Note = note |> Option.map _.GetString() }
        | Error problem, _, _
        | _, Error problem, _
        | _, _, Error problem -> Error problem
    with
    | :? JsonException as error -> Error error.Message
    | :? System.InvalidOperationException as error -> Error error.Message // no object, or a text that is no Unicode
