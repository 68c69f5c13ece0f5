;; snippet:check
;; snippet:doc https://www.lispworks.com/documentation/HyperSpec/Body/m_defmac.htm DEFMACRO
;; snippet:prints (ROMAN 4) is "IIII", not "IV"
;; snippet:prints 1 of 3 failed
(defun roman (n) (make-string n :initial-element #\I))
;; snippet:end
(defmacro test-table (&body rows)
  "Each row is (FORM => EXPECTED). Tells every row that fails, by its source, and returns how many did."
  `(let ((failed 0))
     ,@(loop for (form arrow expected) in rows
             do (assert (eq arrow '=>))
             collect `(let ((got ,form))
                        (unless (equalp got ,expected)
                          (incf failed)
                          (format t "~s is ~s, not ~s~%" ',form got ,expected))))
     (when (plusp failed)
       (format t "~d of ~d failed~%" failed ,(length rows)))
     failed))

(defun test-roman ()
  (test-table
    ((roman 0) => "")
    ((roman 3) => "III")
    ((roman 4) => "IV")))
;; snippet:check
(assert (= 1 (test-roman)))
