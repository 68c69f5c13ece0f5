;; snippet:check
;; snippet:doc https://www.lispworks.com/documentation/HyperSpec/Body/m_defmac.htm DEFMACRO
;; snippet:prints (ROMAN 4) is "IIII", not "IV"
;; snippet:prints 1 of 3 failed
;; snippet:prints CASE is "iv", not "IV"
;; snippet:end
(defun roman (n) ; wrong from 4 on: the table finds it
  (make-string n :initial-element #\I))

(defun check-row (source got expected)
  "Tells a row that fails; returns how many that are, 1 or 0. EQUAL, because EQUALP would ignore case."
  (cond ((equal got expected) 0)
        (t (format t "~s is ~s, not ~s~%" source got expected)
           1)))

(defmacro test-table (&body rows)
  "Each row is (FORM => EXPECTED). Tells every row that fails, by its source, and returns how many did."
  `(let ((failed (+ ,@(loop for (form arrow expected) in rows
                            do (assert (eq arrow '=>))
                            collect `(check-row ',form ,form ,expected)))))
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
(assert (= 1 (check-row 'case "iv" "IV")))
