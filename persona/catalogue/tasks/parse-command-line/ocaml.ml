(* snippet:doc https://ocaml.org/manual/latest/api/Arg.html Arg *)
(* snippet:prints 3 true a.txt *)
(* snippet:prints words: -top wants a number from 1. *)
(* snippet:prints words: unknown option '-quiet'. *)
(* snippet:prints which file? *)
type options = { top : int; verbose : bool; files : string list }

let usage = "words [-top N] [-verbose] FILE..."

(** Parses an argument vector like [Sys.argv]; never exits by itself. *)
let parse argv =
  let top = ref 10 and verbose = ref false and files = ref [] in
  let positive n = if n > 0 then top := n else raise (Arg.Bad "-top wants a number from 1") in
  let spec = [
    "-top", Arg.Int positive, "N  how many words to show (default 10)";
    "-verbose", Arg.Set verbose, "  say more";
  ] in
  match Arg.parse_argv ~current:(ref 0) argv spec (fun file -> files := file :: !files) usage with
  | () when !files = [] -> Error "which file?"
  | () -> Ok { top = !top; verbose = !verbose; files = List.rev !files }
  | exception Arg.Bad message -> Error message
  | exception Arg.Help text -> Error text
(* snippet:usage *)
let first_line text = List.hd (String.split_on_char '\n' text)

let () =
  (match parse [| "words"; "-verbose"; "-top"; "3"; "a.txt" |] with
   | Ok o -> Printf.printf "%d %b %s\n" o.top o.verbose (String.concat "," o.files)
   | Error e -> print_endline e);
  List.iter
    (fun argv -> match parse argv with Ok _ -> print_endline "?" | Error e -> print_endline (first_line e))
    [ [| "words"; "-top"; "0"; "a" |]; [| "words"; "-quiet" |]; [| "words" |] ]
