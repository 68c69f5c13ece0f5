(* snippet:doc https://ocaml.org/manual/latest/api/String.html String.get_uint16_be *)
(* snippet:prints 1 hi 7 *)
(* snippet:prints incomplete *)
(* snippet:prints invalid *)
type frame = { kind : int; payload : string }

type result =
  | Frame of frame * int (* and the offset after it *)
  | Incomplete
  | Invalid

let header = 5

(** Magic "MX", kind, length (16 bits, big-endian), payload, from [offset] on. *)
let parse input offset =
  let available = String.length input - offset in
  if available < header then Incomplete
  else if String.sub input offset 2 <> "MX" then Invalid
  else
    let kind = String.get_uint8 input (offset + 2) in
    let length = String.get_uint16_be input (offset + 3) in
    if available - header < length then Incomplete
    else
      let payload = String.sub input (offset + header) length in
      Frame ({ kind; payload }, offset + header + length)
(* snippet:check *)
let () =
  let show = function
    | Frame ({ kind; payload }, next) -> Printf.printf "%d %s %d\n" kind payload next
    | Incomplete -> print_endline "incomplete"
    | Invalid -> print_endline "invalid"
  in
  show (parse "MX\001\000\002hi!" 0);
  show (parse "MX\001\000\009hi" 0);
  show (parse "XXXXXX" 0)
