(* snippet:doc https://ocaml.org/manual/latest/api/List.html List *)
(* snippet:prints Cy Di Ann bo *)
type player = { name : string; score : int; seconds : float }

(** Tries comparisons in order; the first that decides wins. *)
let rec by comparisons a b =
  match comparisons with
  | [] -> 0
  | compare :: rest ->
    (match compare a b with
     | 0 -> by rest a b
     | decided -> decided)

let descending compare a b = compare b a
let on key compare a b = compare (key a) (key b)

(** Best score first, then the shorter time, then the name. Stable. *)
let rank =
  List.stable_sort (by [
    on (fun p -> p.score) (descending Int.compare);
    on (fun p -> p.seconds) Float.compare;
    on (fun p -> String.lowercase_ascii p.name) String.compare;
  ])
(* snippet:usage *)
let () =
  [ { name = "bo"; score = 10; seconds = 2.5 }; { name = "Ann"; score = 10; seconds = 2.5 };
    { name = "Cy"; score = 12; seconds = 9. }; { name = "Di"; score = 10; seconds = 1. } ]
  |> rank |> List.map (fun p -> p.name) |> String.concat " " |> print_endline
