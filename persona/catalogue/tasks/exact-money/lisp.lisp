;; snippet:check
;; snippet:doc https://www.lispworks.com/documentation/HyperSpec/Body/t_ratio.htm Ratios
;; snippet:prints (3334 3333 3333)
;; snippet:prints (-3 -2)
;; snippet:prints 33.34
;; snippet:end
(defun split-cents (cents parts)
  "Splits a whole number of cents into PARTS that differ by one at most and add up to it."
  (multiple-value-bind (share left-over) (truncate cents parts)
    (loop for i below parts
          collect (+ share (if (< i (abs left-over)) (signum left-over) 0)))))

(defun with-tax (cents rate)
  "CENTS with a tax added, such as 19/100. A ratio is exact; it is rounded once, halves to even."
  (values (round (* cents (+ 1 rate)))))

(defun show-cents (cents)
  (format nil "~:[~;-~]~d.~2,'0d" (minusp cents) (floor (abs cents) 100) (mod (abs cents) 100)))
;; snippet:check
(format t "~s~%~s~%" (split-cents 10000 3) (split-cents -5 2))
(format t "~a~%" (show-cents (first (split-cents 10000 3))))
(assert (string= "-0.05" (show-cents -5)))
(assert (= 119 (with-tax 100 19/100)))
