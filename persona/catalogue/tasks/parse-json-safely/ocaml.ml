(* snippet:doc https://ocaml-community.github.io/yojson/yojson/Yojson/Safe/Util/index.html Yojson.Safe.Util *)
(* snippet:prints a1 1 0 *)
(* snippet:prints id: Expected string, got null *)
(* snippet:prints quantity: Expected int or null, got string *)
(* snippet:prints quantity: must be positive *)
(* snippet:prints expected an object *)
type order = { id : string; quantity : int; notes : string list }

(** The id is required, the rest has a default; an error names the field. *)
let order_of_json text =
  let open Yojson.Safe.Util in
  let field name convert json =
    try convert (member name json)
    with Type_error (problem, _) -> failwith (Printf.sprintf "%s: %s" name problem)
  in
  match Yojson.Safe.from_string text with
  | exception Yojson.Json_error problem -> Error ("not JSON: " ^ problem)
  | `Assoc _ as json ->
    (match
       { id = field "id" to_string json;
         quantity = field "quantity" to_int_option json |> Option.value ~default:1;
         notes = field "notes" (function `Null -> [] | l -> List.map to_string (to_list l)) json }
     with
     | order when order.quantity > 0 -> Ok order
     | _ -> Error "quantity: must be positive"
     | exception Failure problem -> Error problem)
  | _ -> Error "expected an object"
(* snippet:check *)
let () =
  List.iter
    (fun text -> match order_of_json text with
       | Ok o -> Printf.printf "%s %d %d\n" o.id o.quantity (List.length o.notes)
       | Error e -> print_endline e)
    [ {|{"id": "a1"}|}; {|{"quantity": 2}|}; {|{"id": "a", "quantity": "two"}|}; {|{"id": "a", "quantity": 0}|}; "[]" ]
