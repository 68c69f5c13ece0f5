(* snippet:doc https://ocaml.org/manual/latest/api/Mutex.html Mutex *)
(* snippet:prints 1 4 9 16 *)
(* snippet:into Link it with threads: ocamlfind ocamlopt -thread -package threads.posix -linkpkg *)
(* snippet:prints division by zero *)
(** Maps on [n] threads, for work that waits (files, networks); the results keep
    their order, and the exception of the first item that failed is raised again at the end. *)
let parallel_map ~n f items =
  if n < 1 then invalid_arg "parallel_map: n: expected 1 or more";
  let input = Array.of_list items in
  let output = Array.make (Array.length input) None in
  let next = ref 0 and lock = Mutex.create () in
  let take () =
    Mutex.lock lock;
    let i = !next in
    incr next;
    Mutex.unlock lock;
    if i < Array.length input then Some i else None
  in
  let rec work () =
    match take () with
    | None -> ()
    | Some i ->
      output.(i) <- Some (try Ok (f input.(i)) with e -> Error e);
      work ()
  in
  List.iter Thread.join (List.init n (fun _ -> Thread.create work ()));
  Array.to_list output
  |> List.map (function Some (Ok x) -> x | Some (Error e) -> raise e | None -> assert false)
(* snippet:usage *)
let () =
  print_endline (String.concat " " (List.map string_of_int (parallel_map ~n:3 (fun n -> n * n) [1; 2; 3; 4])));
  try ignore (parallel_map ~n:2 (fun n -> 10 / n) [1; 0]) with Division_by_zero -> print_endline "division by zero"
