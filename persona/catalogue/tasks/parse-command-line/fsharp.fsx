// snippet:doc https://learn.microsoft.com/en-us/dotnet/fsharp/language-reference/pattern-matching Pattern matching
type Options = { Width: int; DryRun: bool; Files: string list }

let usage = "usage: resize [--width N] [--dry-run] FILE..."

let rec parse options args =
    match args with
    | "--width" :: (value: string) :: rest ->
        match System.Int32.TryParse value with
        | true, n when n > 0 -> parse { options with Width = n } rest
        | _ -> Error $"--width: {value} is no positive number"
    | [ "--width" ] -> Error "--width needs a number"
    | "--dry-run" :: rest -> parse { options with DryRun = true } rest
    | name :: _ when name.StartsWith '-' -> Error $"unknown option {name}"
    | file :: rest -> parse { options with Files = options.Files @ [ file ] } rest
    | [] when List.isEmpty options.Files -> Error usage
    | [] -> Ok options

let arguments argv = parse { Width = 320; DryRun = false; Files = [] } (List.ofArray argv)
// snippet:usage
for args in [ "--width 640 --dry-run a.png b.png"; "--width wide a"; "--size a"; "-s a"; "a --width"; "--dry-run" ] do
    match arguments (args.Split(' ')) with
    | Ok o -> printfn "%d %b %s" o.Width o.DryRun (String.concat " " o.Files)
    | Error e -> printfn "%s" e
// snippet:prints 640 true a.png b.png
// snippet:prints --width: wide is no positive number
// snippet:prints unknown option --size
// snippet:prints unknown option -s
// snippet:prints --width needs a number
// snippet:prints usage: resize [--width N] [--dry-run] FILE...
