;; snippet:check
;; snippet:doc https://www.lispworks.com/documentation/HyperSpec/Body/m_hand_1.htm HANDLER-CASE
;; snippet:prints third time lucky, after 2 waits
;; snippet:prints given up: no network, after 3 calls
;; snippet:prints not repeated: 1 call
(defvar *waited* 0)
(defvar *calls* 0)
;; snippet:end
(define-condition transient-error (simple-error) ()
  (:documentation "What may work in a moment. Other errors are not tried again."))

(defvar *jitter* (make-random-state t) "Seeded as this is loaded: the default state is
the same in each process. A saved image has to set it again when it starts.")

(defun call-with-retries (function &key (attempts 4) (base 0.2) (longest 10) (wait #'sleep))
  "Calls FUNCTION up to ATTEMPTS times. Before each new call it waits a random part of BASE seconds, doubled
each time up to LONGEST, so that clients which failed together do not come back together. The last error
goes to the caller."
  (loop for attempt from 1
        do (handler-case (return (funcall function))
             (transient-error (problem)
               (when (>= attempt attempts)
                 (error problem))
               (funcall wait (* (random 1.0 *jitter*) (min longest (* (rational base) (expt 2 (1- attempt))))))))))
;; snippet:check
(assert (not (equalp *jitter* *random-state*)))
(flet ((wait (seconds) (assert (< -1 seconds 10)) (incf *waited*)))
  (format t "~a, after ~d waits~%"
          (call-with-retries (lambda () (if (< (incf *calls*) 3) (error 'transient-error :format-control "busy") "third time lucky")) :wait #'wait)
          *waited*)
  (setf *calls* 0)
  (handler-case (call-with-retries (lambda () (incf *calls*) (error 'transient-error :format-control "no network")) :attempts 3 :wait #'wait)
    (transient-error (problem) (format t "given up: ~a, after ~d calls~%" problem *calls*)))
  (handler-case (call-with-retries (lambda () (error 'transient-error :format-control "x")) :attempts 0 :wait #'wait)
    (transient-error ()))
  (setf *calls* 0)
  (handler-case (call-with-retries (lambda () (incf *calls*) (error "a bug")) :wait #'wait)
    (error () (format t "not repeated: ~d call~:p~%" *calls*))))
