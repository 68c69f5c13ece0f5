;; snippet:doc https://www.lispworks.com/documentation/HyperSpec/Body/22_c.htm FORMAT
;; snippet:prints src
;; snippet:prints   main.lisp
;; snippet:prints   tests
;; snippet:prints     all.lisp
;; snippet:prints 2 files
;; A tree is a name, or a name with its children.
(defparameter *project*
  '("src" "main.lisp" ("tests" "all.lisp")))

(defun walk (tree visit &optional (depth 0))
  "Calls VISIT with each name, its depth, and whether it may have children; parents come first."
  (if (atom tree)
      (funcall visit tree depth nil)
      (destructuring-bind (name &rest children) tree
        (funcall visit name depth t)
        (dolist (child children)
          (walk child visit (1+ depth))))))

(let ((files 0))
  (walk *project* (lambda (name depth folder-p)
                    (unless folder-p (incf files))
                    (format t "~va~a~%" (* 2 depth) "" name)))
  (format t "~d file~:p~%" files))
