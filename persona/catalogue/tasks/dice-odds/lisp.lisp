;; snippet:check
;; snippet:doc https://www.lispworks.com/documentation/HyperSpec/Body/t_ratio.htm Ratios
;; snippet:prints 7 with 2d6: 1/6
;; snippet:prints 15 or more with 3d6: 5/54
;; snippet:end
(defun add-die (odds sides)
  "The odds of each total with one more die. ODDS is a vector: element N is the chance of the total N."
  (let ((new (make-array (+ (length odds) sides) :initial-element 0)))
    (dotimes (total (length odds) new)
      (loop for face from 1 to sides
            do (incf (aref new (+ total face)) (/ (aref odds total) sides))))))

(defun dice-odds (count sides)
  "The odds of each total of COUNT dice, as exact fractions."
  (let ((odds (vector 1))) ; no dice: the total is zero for certain
    (loop repeat count do (setf odds (add-die odds sides)))
    odds))

(defun chance-of-at-least (target count sides)
  (reduce #'+ (dice-odds count sides) :start (max 0 (min target (1+ (* count sides))))))
;; snippet:check
(format t "7 with 2d6: ~a~%" (aref (dice-odds 2 6) 7))
(format t "15 or more with 3d6: ~a~%" (chance-of-at-least 15 3 6))
(assert (= 1 (reduce #'+ (dice-odds 5 8))))
(assert (zerop (chance-of-at-least 99 1 6)))
(assert (= 1 (chance-of-at-least -3 1 6)))
