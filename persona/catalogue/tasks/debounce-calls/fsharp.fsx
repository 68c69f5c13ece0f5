// snippet:doc https://fsharp.github.io/fsharp-core-docs/reference/fsharp-control-fsharpmailboxprocessor-1.html MailboxProcessor
/// Acts with the latest value once a burst of values has been quiet for a while.
let debouncer (quietMilliseconds: int) (action: 'T -> unit) =
    MailboxProcessor.Start(fun inbox ->
        let rec idle () =
            async {
                let! value = inbox.Receive()
                return! waiting value
            }

        and waiting value =
            async {
                match! inbox.TryReceive quietMilliseconds with
                | Some newer -> return! waiting newer // the quiet begins anew
                | None ->
                    action value // what it throws ends the debouncer: see its Error event
                    return! idle ()
            }

        idle ())
