(* snippet:doc https://ocaml.org/manual/latest/api/Seq.html Seq *)
(* snippet:prints 6 3 10 5 16 8 4 2 1 *)
(* snippet:prints 27 takes 111 *)
(* snippet:prints 31 takes 106 *)
(** Collatz steps of a positive [n] down to 1, if none is above [max_int]. A [Seq.t] computes an element only when
    somebody asks for it. *)
let collatz n =
  Seq.unfold
    (function
      | 0 -> None
      | 1 -> Some (1, 0)
      | n -> Some (n, if n mod 2 = 0 then n / 2 else (3 * n) + 1))
    n

let rec naturals_from n () = Seq.Cons (n, naturals_from (n + 1))

let rec take n seq () =
  if n <= 0 then Seq.Nil
  else match seq () with
    | Seq.Nil -> Seq.Nil
    | Seq.Cons (x, rest) -> Seq.Cons (x, take (n - 1) rest)

(** The first starts whose path is longer than [steps], out of endless ones. *)
let long_paths ~steps count =
  naturals_from 1
  |> Seq.map (fun n -> n, Seq.fold_left (fun length _ -> length + 1) (-1) (collatz n))
  |> Seq.filter (fun (_, length) -> length > steps)
  |> take count |> List.of_seq
(* snippet:usage *)
let () =
  print_endline (String.concat " " (List.map string_of_int (List.of_seq (collatz 6))));
  List.iter (fun (n, length) -> Printf.printf "%d takes %d\n" n length) (long_paths ~steps:100 2)
