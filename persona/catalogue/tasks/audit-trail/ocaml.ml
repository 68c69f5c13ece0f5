(* snippet:doc https://ocaml.org/manual/latest/api/Printf.html Printf *)
(* snippet:into Link it with unix: ocamlfind ocamlopt -package unix -linkpkg *)
(* snippet:prints 2026-01-01T00:00:00Z "ada" "limit" "100" "200" *)
(* snippet:prints 2026-01-01T00:00:00Z "bo" "note" "" "a\nb" *)
type change = { author : string; field : string; was : string; is : string }

let timestamp seconds =
  let t = Unix.gmtime seconds in
  Printf.sprintf "%04d-%02d-%02dT%02d:%02d:%02dZ" (t.tm_year + 1900) (t.tm_mon + 1) t.tm_mday
    t.tm_hour t.tm_min t.tm_sec

(** Adds one line to a file that is only ever added to. [%S] quotes the values:
    none of them can start a line of its own. *)
let record ?(now = Unix.time) path change =
  let flags = [ Open_wronly; Open_append; Open_creat; Open_binary ] in
  let out = open_out_gen flags 0o640 path in
  Fun.protect
    ~finally:(fun () -> close_out_noerr out)
    (fun () ->
      Printf.fprintf out "%s %S %S %S %S\n" (timestamp (now ())) change.author change.field
        change.was change.is;
      close_out out)
(* snippet:usage *)
let () =
  let now () = 1767225600. and log = Filename.temp_file "audit" ".log" in
  record ~now log { author = "ada"; field = "limit"; was = "100"; is = "200" };
  record ~now log { author = "bo"; field = "note"; was = ""; is = "a\nb" };
  (* snippet:check *)
  (match record ~now "/dev/full" { author = ""; field = ""; was = ""; is = "" } with
   | () -> print_endline "?"
   | exception Sys_error _ -> ());
  (* snippet:usage *)
  let input = open_in log in
  (try while true do print_endline (input_line input) done with End_of_file -> close_in input)
