(* snippet:doc https://ocaml.org/docs/modules Modules and abstract types *)
(* snippet:prints -3.34 -3.33 -3.33 *)
(* snippet:prints -9.95 *)
module Money : sig
  type t (* abstract: cents cannot be mixed up with other integers *)

  val of_cents : int -> t
  val add : t -> t -> t
  val split : int -> t -> t list
  val to_string : t -> string
end = struct
  type t = int

  let of_cents cents = cents
  let add = ( + )

  (* Parts that differ by a cent at most and add up to the whole. *)
  let split parts cents =
    let rest = cents mod parts in
    let cent = if rest < 0 then -1 else 1 in
    let extra i = if i < abs rest then cent else 0 in
    List.init parts (fun i -> (cents / parts) + extra i)

  let to_string cents =
    Printf.sprintf "%s%d.%02d" (if cents < 0 then "-" else "") (abs (cents / 100)) (abs (cents mod 100))
end
(* snippet:usage *)
let () =
  let parts = Money.split 3 (Money.of_cents (-1000)) in
  print_endline (String.concat " " (List.map Money.to_string parts));
  print_endline (Money.to_string (List.fold_left Money.add (Money.of_cents 5) parts))
