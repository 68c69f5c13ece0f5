(* snippet:doc https://ocaml.org/manual/latest/api/Map.Make.html Map.Make *)
(* snippet:prints Bath 1 900 *)
(* snippet:prints Rome 2 600 *)
module By_city = Map.Make (String)

type total = { count : int; cents : int }

(** Count and sum per city, the largest sum first. *)
let totals sales =
  let add groups (city, cents) =
    By_city.update city
      (function
        | None -> Some { count = 1; cents }
        | Some t -> Some { count = t.count + 1; cents = t.cents + cents })
      groups
  in
  List.fold_left add By_city.empty sales
  |> By_city.bindings
  |> List.stable_sort (fun (_, a) (_, b) -> Int.compare b.cents a.cents)
(* snippet:usage *)
let () =
  totals [ "Rome", 200; "Bath", 900; "Rome", 400 ]
  |> List.iter (fun (city, t) -> Printf.printf "%s %d %d\n" city t.count t.cents)
