(* snippet:doc https://ocaml.org/manual/latest/api/Stdlib.html Bitwise operations *)
(* snippet:prints true true 5 D2 *)
(* snippet:prints Status.with_gain: gain has three bits *)
(** A status byte as hardware sends it: bit 7 ready, bit 6 error, bits 5-3 gain.
    A private type: made in this module only, so it always fits in a byte. *)
module Status : sig
  type t = private int

  val of_byte : char -> t
  val ready : t -> bool
  val error : t -> bool
  val gain : t -> int
  val with_gain : int -> t -> t
end = struct
  type t = int

  let of_byte = Char.code
  let bit n status = (status lsr n) land 1 = 1
  let ready = bit 7
  let error = bit 6
  let gain status = (status lsr 3) land 0b111

  let with_gain gain status =
    if gain < 0 || gain > 7 then invalid_arg "Status.with_gain: gain has three bits";
    status land lnot (0b111 lsl 3) lor (gain lsl 3)
end
(* snippet:check *)
let () =
  let s = Status.of_byte '\xEA' in
  Printf.printf "%b %b %d %02X\n" (Status.ready s) (Status.error s) (Status.gain s)
    (Status.with_gain 2 s :> int);
  try ignore (Status.with_gain 8 s) with Invalid_argument message -> print_endline message
