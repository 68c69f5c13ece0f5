(* snippet:doc https://ocaml.org/manual/latest/api/Hashtbl.html Hashtbl *)
(* snippet:prints 960 2 3.0 *)
(* snippet:prints 1020 0 - *)
(* snippet:prints 1080 1 7.0 *)
type bucket = { start : int; values : float list }

(** Groups [(unix_seconds, value)] readings into intervals of [width] seconds.
    An interval without readings is there too, and empty: a gap is information. *)
let buckets ~width readings =
  let groups = Hashtbl.create 64 in
  let index (time, _) = (* rounded down, before 1970 too *)
    if time >= 0 then time / width else (time + 1) / width - 1 in
  List.iter (fun r -> Hashtbl.add groups (index r) (snd r)) readings;
  match List.sort_uniq Int.compare (List.map index readings) with
  | [] -> []
  | first :: _ as indices ->
    let last = List.fold_left max first indices in
    List.init (last - first + 1) (fun i ->
        let start = (first + i) * width in
        { start; values = List.rev (Hashtbl.find_all groups (first + i)) })

let mean = function
  | [] -> None
  | values -> Some (List.fold_left ( +. ) 0. values /. float_of_int (List.length values))
(* snippet:check *)
let () =
  buckets ~width:60 [ 960, 2.; 980, 4.; 1130, 7. ]
  |> List.iter (fun b ->
      Printf.printf "%d %d %s\n" b.start (List.length b.values)
        (match mean b.values with None -> "-" | Some m -> Printf.sprintf "%.1f" m))
