(* snippet:doc https://ocaml.org/manual/latest/api/Result.html Result *)
(* snippet:prints done after 3 *)
(* snippet:prints down *)
(* Without a seed of its own every client would draw the same pauses. *)
let random = Random.State.make_self_init ()

(** [retry ~attempts ~delay f] calls [f] until it is [Ok], waiting a random part
    of a delay in between, which doubles up to 30 seconds; gives the last error back. *)
let rec retry ~attempts ~delay f =
  match f () with
  | Ok _ as success -> success
  | Error _ as failure when attempts <= 1 -> failure
  | Error _ ->
    Unix.sleepf (Random.State.float random delay);
    retry ~attempts:(attempts - 1) ~delay:(Float.min 30. (delay *. 2.)) f
(* snippet:check *)
let () =
  let calls = ref 0 in
  let flaky () = incr calls; if !calls < 3 then Error "busy" else Ok !calls in
  (match retry ~attempts:5 ~delay:0.001 flaky with
   | Ok n -> Printf.printf "done after %d\n" n
   | Error e -> print_endline e);
  match retry ~attempts:2 ~delay:0.001 (fun () -> Error "down") with
  | Ok () -> ()
  | Error e -> print_endline e
