;; snippet:usage
;; snippet:doc https://www.lispworks.com/documentation/HyperSpec/Body/f_gethas.htm GETHASH
;; snippet:prints 354224848179261915075
;; snippet:prints computed 1 time, NIL remembered
;; snippet:end
(defun memoize (function)
  "A function of the same results, one value each, that computes them only once.
The arguments together are the key, compared by EQUAL."
  (let ((results (make-hash-table :test #'equal)))
    (lambda (&rest arguments)
      (multiple-value-bind (result known) (gethash arguments results)
        (if known ; asked separately, so that NIL is remembered too
            result
            (setf (gethash arguments results) (apply function arguments)))))))

;; Before the definition, so that the calls within it go through the name and are remembered as well.
(declaim (notinline fibonacci))
(defun fibonacci (n)
  (if (< n 2)
      n
      (+ (fibonacci (- n 1)) (fibonacci (- n 2)))))

(setf (fdefinition 'fibonacci) (memoize #'fibonacci))
;; snippet:usage
(format t "~d~%" (fibonacci 100))
(let* ((calls 0) (nothing (memoize (lambda (x) (declare (ignore x)) (incf calls) nil))))
  (funcall nothing 1)
  (funcall nothing 1)
  (format t "computed ~d time~:p, NIL remembered~%" calls))
