;; snippet:usage
;; snippet:doc https://www.lispworks.com/documentation/HyperSpec/Body/f_pos_p.htm POSITION
;; snippet:prints MAIVMGR
;; snippet:prints MX
;; snippet:prints MA
;; snippet:end
;; The standard code: the amino acids of TTT, TTC, TTA, TTG, TCT and so on to GGG; a star stops.
(defparameter *amino-acids*
  "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG")

(defun amino-acid (dna at)
  "The amino acid of the codon at a place; X if one of its bases is unknown."
  (let ((digits (loop for i from at below (+ at 3)
                      collect (position (char dna i) "TCAG"))))
    (if (every #'identity digits)
        (char *amino-acids* (reduce (lambda (sum digit) (+ (* 4 sum) digit)) digits))
        #\X)))

(defun translate (gene)
  "The protein of DNA or RNA, up to the first stop codon. Bases that are left over at the end are not translated."
  (coerce (loop with dna = (substitute #\T #\U (string-upcase gene))
                for at from 0 to (- (length dna) 3) by 3
                for acid = (amino-acid dna at)
                until (char= acid #\*)
                collect acid)
          'string))
;; snippet:usage
(format t "~a~%" (translate "ATGGCCATTGTAATGGGCCGCTGAAAGGGTGCCCGATAG"))
(format t "~a~%" (translate "atgNcgTA"))
(format t "~a~%" (translate "augGCUuaa"))
