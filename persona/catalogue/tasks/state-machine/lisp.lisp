;; snippet:check
;; snippet:doc https://www.lispworks.com/documentation/HyperSpec/Body/m_defmet.htm DEFMETHOD and EQL specializers
;; snippet:prints PENDING -> PAID
;; snippet:prints PAID -> SHIPPED
;; snippet:prints SHIPPED does not take PAY
;; snippet:end
(define-condition not-allowed (error)
  ((state :initarg :state :reader state-of)
   (event :initarg :event :reader event-of))
  (:report (lambda (condition stream)
             (format stream "~a does not take ~a" (state-of condition) (event-of condition)))))

(defgeneric next-state (state event)
  (:documentation "The state after an event. Each transition is a method; what has none is an error.")
  (:method (state event)
    (error 'not-allowed :state state :event event)))

(defmethod next-state ((state (eql :pending)) (event (eql :pay))) :paid)
(defmethod next-state ((state (eql :paid)) (event (eql :ship))) :shipped)
(defmethod next-state ((state (eql :paid)) (event (eql :refund))) :pending)
(defmethod next-state ((state (eql :pending)) (event (eql :cancel))) :cancelled)
(defmethod next-state ((state (eql :paid)) (event (eql :cancel))) :cancelled)
;; snippet:check
(let ((state :pending))
  (handler-case
      (dolist (event '(:pay :ship :pay))
        (format t "~a -> ~a~%" state (setf state (next-state state event))))
    (not-allowed (problem) (format t "~a~%" problem))))
(assert (eq :cancelled (next-state :paid :cancel)))
(dolist (state '(:shipped :cancelled :unknown))
  (assert (typep (nth-value 1 (ignore-errors (next-state state :cancel))) 'not-allowed)))
