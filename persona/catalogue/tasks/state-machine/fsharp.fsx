// snippet:description The states of a telephone, each with what it needs to know, and every step between them in one match. An event
// snippet:description that means nothing in the current state changes nothing.
// snippet:doc https://learn.microsoft.com/en-us/dotnet/fsharp/language-reference/discriminated-unions Discriminated unions
type State =
    | Idle
    | Dialling of number: string
    | Talking of number: string * seconds: int

type Event =
    | Dial of string
    | Answered
    | Tick
    | HangUp

/// What a state needs to know is part of it: nobody talks without a number.
let next state event =
    match state, event with
    | Idle, Dial number -> Dialling number
    | Dialling number, Answered -> Talking(number, 0)
    | Talking(number, seconds), Tick -> Talking(number, seconds + 1)
    | (Dialling _ | Talking _), HangUp -> Idle
    | other, _ -> other // everything else changes nothing
// snippet:check
[ Dial "123"; Answered; Tick; Tick; Dial "9"; HangUp ]
|> List.scan next Idle
|> List.iter (function
    | Idle -> printfn "idle"
    | Dialling n -> printfn "dialling %s" n
    | Talking(n, s) -> printfn "talking %s %d" n s)
// snippet:prints idle
// snippet:prints dialling 123
// snippet:prints talking 123 0
// snippet:prints talking 123 1
// snippet:prints talking 123 2
// snippet:prints talking 123 2
// snippet:prints idle
