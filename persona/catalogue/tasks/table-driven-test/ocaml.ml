(* snippet:doc https://ocaml.org/manual/latest/api/Stdlib.html int_of_string_opt *)
(* snippet:prints 7 rows pass *)
let parse_port text =
  match int_of_string_opt text with
  | Some port when port >= 1 && port <= 65535 -> Some port
  | Some _ | None -> None

(* name, input, expected *)
let cases = [
  "smallest", "1", Some 1;
  "largest", "65535", Some 65535;
  "hexadecimal is a number too", "0x50", Some 80;
  "zero is no port", "0", None;
  "too large", "65536", None;
  "text after it", "80x", None;
  "empty", "", None;
]

let failure (name, input, expected) =
  let actual = parse_port input in
  if Option.equal Int.equal actual expected then None
  else
    let shown = Option.fold ~none:"None" ~some:string_of_int actual in
    Some (Printf.sprintf "%s: %S gave %s" name input shown)

let () =
  match List.filter_map failure cases with
  | [] -> Printf.printf "%d rows pass\n" (List.length cases)
  | failures -> List.iter prerr_endline failures; exit 1
