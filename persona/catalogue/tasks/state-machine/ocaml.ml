(* snippet:description The states of an order, each with its own data, and the answer to every event in each of them. What is not *)
(* snippet:description allowed is an error with the reason. *)
(* snippet:doc https://ocaml.org/docs/basic-data-types Variants and pattern matching *)
(* snippet:prints shipped t9 *)
(* snippet:prints pay first *)
type state =
  | Basket of { items : string list }
  | Paid of { items : string list; receipt : string }
  | Shipped of { tracking : string }

type event = Pay of string | Ship of string | Cancel

(** The next state. The compiler warns when a new state or event is forgotten,
    so there is no catch-all case here. *)
let step state event =
  match state, event with
  | Basket { items = [] }, Pay _ -> Error "the basket is empty"
  | Basket { items }, Pay receipt -> Ok (Paid { items; receipt })
  | Paid _, Ship tracking -> Ok (Shipped { tracking })
  | (Basket _ | Paid _), Cancel -> Ok (Basket { items = [] })
  | Basket _, Ship _ -> Error "pay first"
  | Paid _, Pay _ -> Error "paid already"
  | Shipped _, (Pay _ | Ship _ | Cancel) -> Error "shipped already"

let replay start events =
  List.fold_left (fun state event -> Result.bind state (fun s -> step s event)) (Ok start) events
(* snippet:usage *)
let () =
  let show = function
    | Ok (Shipped { tracking }) -> "shipped " ^ tracking
    | Ok (Basket _ | Paid _) -> "not shipped"
    | Error e -> e
  in
  print_endline (show (replay (Basket { items = ["book"] }) [Pay "r1"; Ship "t9"]));
  print_endline (show (replay (Basket { items = ["book"] }) [Ship "t9"]))
