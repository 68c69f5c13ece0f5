(* snippet:why Recursion is natural where the data is. *)
(* snippet:description A binary tree of sorted values. `insert` makes a new tree that shares what has not changed, and `fold` visits *)
(* snippet:description the values in order. *)
(* snippet:title A sorted tree that is never changed *)
(* snippet:doc https://ocaml.org/docs/basic-data-types Variants *)
(* snippet:prints 1 2 5 8 9 *)
(* snippet:prints 3 *)
type 'a tree =
  | Leaf
  | Node of 'a tree * 'a * 'a tree

let rec insert x = function
  | Leaf -> Node (Leaf, x, Leaf)
  | Node (left, y, right) as tree ->
    (match compare x y with
     | 0 -> tree
     | c when c < 0 -> Node (insert x left, y, right) (* shares the right side *)
     | _ -> Node (left, y, insert x right))

(** Folds in order without building lists on the way. *)
let rec fold f acc = function
  | Leaf -> acc
  | Node (left, x, right) -> fold f (f (fold f acc left) x) right

let rec depth = function
  | Leaf -> 0
  | Node (left, _, right) -> 1 + max (depth left) (depth right)

let to_list tree = List.rev (fold (fun list x -> x :: list) [] tree)
(* snippet:usage *)
let () =
  let tree = List.fold_left (fun t x -> insert x t) Leaf [ 5; 2; 8; 1; 9; 2 ] in
  print_endline (String.concat " " (List.map string_of_int (to_list tree)));
  Printf.printf "%d\n" (depth tree)
