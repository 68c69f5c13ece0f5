(* snippet:doc https://ocaml.org/manual/latest/api/Sys.html Sys.rename *)
(* snippet:prints a=2 1 *)
(* snippet:prints refused *)
(** Replaces a file: readers see the old content or the new one. On an exception
    the temporary file goes away and the old file stays as it was. On POSIX, only
    its owner may read the new file. *)
let write_atomically path content =
  let temporary, out =
    Filename.open_temp_file ~mode:[ Open_binary ] ~temp_dir:(Filename.dirname path)
      (Filename.basename path) ".tmp"
  in
  match
    Fun.protect
      ~finally:(fun () -> close_out_noerr out)
      (fun () ->
        output_string out content;
        flush out;
        Unix.fsync (Unix.descr_of_out_channel out));
    Sys.rename temporary path (* closed by now: Windows does not rename an open file *)
  with
  | () -> ()
  | exception failure ->
    (try Sys.remove temporary with Sys_error _ -> ());
    raise failure
(* snippet:check *)
let () =
  Sys.mkdir "work" 0o755;
  write_atomically "work/settings" "a=1";
  write_atomically "work/settings" "a=2";
  let input = open_in "work/settings" in
  Printf.printf "%s %d\n" (input_line input) (Array.length (Sys.readdir "work"));
  close_in input;
  match write_atomically "no/such" "" with
  | () -> print_endline "?"
  | exception Sys_error _ -> print_endline "refused"
