;; snippet:check
;; snippet:doc https://www.lispworks.com/documentation/HyperSpec/Body/f_map.htm MAP
;; snippet:prints TGCNaacg
;; snippet:prints no base: U at 1
;; snippet:end
(defun complement-base (base)
  "The base on the other strand, in the same case; NIL if BASE is none."
  (let ((place (position base "ACGTNacgtn")))
    (and place (char "TGCANtgcan" place))))

(defun reverse-complement (strand)
  "The other strand, read in its own direction."
  (let ((bad (position-if-not #'complement-base strand)))
    (when bad
      (error "no base: ~a at ~d" (char strand bad) bad)))
  (map 'string #'complement-base (reverse strand)))
;; snippet:check
(format t "~a~%" (reverse-complement "cgttNGCA"))
(assert (string= "ACCGTN" (reverse-complement (reverse-complement "ACCGTN"))))
(handler-case (reverse-complement "AU") (error (problem) (format t "~a~%" problem)))
