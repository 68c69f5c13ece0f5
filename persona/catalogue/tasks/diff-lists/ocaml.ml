(* snippet:doc https://ocaml.org/manual/latest/api/Map.S.html Map.S.merge *)
(* snippet:prints + log=json *)
(* snippet:prints ~ port: 80 -> 443 *)
(* snippet:prints - tls=off *)
module Settings = Map.Make (String)

type change =
  | Added of string
  | Removed of string
  | Changed of { was : string; is : string }

(** What turns one map into the other, by key. *)
let diff before after =
  Settings.merge
    (fun _key was is ->
      match was, is with
      | None, None -> None
      | None, Some is -> Some (Added is)
      | Some was, None -> Some (Removed was)
      | Some was, Some is when String.equal was is -> None
      | Some was, Some is -> Some (Changed { was; is }))
    before after
(* snippet:usage *)
let () =
  let settings pairs = Settings.of_seq (List.to_seq pairs) in
  diff (settings ["port", "80"; "host", "a"; "tls", "off"]) (settings ["port", "443"; "host", "a"; "log", "json"])
  |> Settings.iter (fun key -> function
      | Added v -> Printf.printf "+ %s=%s\n" key v
      | Removed v -> Printf.printf "- %s=%s\n" key v
      | Changed { was; is } -> Printf.printf "~ %s: %s -> %s\n" key was is)
