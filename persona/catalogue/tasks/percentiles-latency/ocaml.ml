(* snippet:doc https://ocaml.org/manual/latest/api/Array.html Array *)
(* snippet:prints p50=100.0 ms  p95=190.0 ms  p99=198.0 ms  p100=200.0 ms *)
(* snippet:prints none *)
(** Nearest rank, [p] from 0 to 100: a sample that was really measured. [None] without samples. *)
let percentile samples p =
  match Array.length samples with
  | 0 -> None
  | n ->
    let sorted = Array.copy samples in
    Array.sort Float.compare sorted;
    (* 99.9 * 41000 / 100 is above 40959 *)
    let rank = int_of_float (Float.ceil ((p *. float_of_int n /. 100.) -. 1e-7)) in
    Some sorted.(max rank 1 - 1)

let summary samples =
  [ 50.; 95.; 99.; 100. ]
  |> List.filter_map (fun p ->
      percentile samples p |> Option.map (Printf.sprintf "p%g=%.1f ms" p))
  |> String.concat "  "
(* snippet:check *)
let () =
  print_endline (summary (Array.init 200 (fun i -> float_of_int (200 - i))));
  print_endline (if percentile [||] 50. = None then "none" else "some");
  assert (percentile (Array.init 41000 (fun i -> float_of_int (i + 1))) 99.9 = Some 40959.)
