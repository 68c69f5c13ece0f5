;; snippet:usage
;; snippet:description Pick a text by the plural category of a whole number, with the rules of the Unicode CLDR for Polish and Japanese,
;; snippet:description and those of English for all other languages. A catalogue without the category falls back to "other", which every
;; snippet:description language has. The number has its place inside the text, so translators see the whole of it.
;; snippet:doc https://www.unicode.org/cldr/charts/latest/supplemental/language_plural_rules.html CLDR plural rules
;; snippet:prints 1 plik, 3 pliki, 5 plików, 12 plików, 22 pliki
;; snippet:prints 1 file, 2 files
;; snippet:end
(defgeneric plural-category (language n)
  (:documentation "The CLDR category of a whole number from 0: which form of a noun goes with it.")
  (:method (language n) ; English, German and many others
    (declare (ignore language))
    (if (= n 1) :one :other))
  (:method ((language (eql :pl)) n)
    (cond ((= n 1) :one)
          ((and (<= 2 (mod n 10) 4) (not (<= 12 (mod n 100) 14))) :few)
          (t :many)))
  (:method ((language (eql :ja)) n)
    (declare (ignore n))
    :other))

(defun message (language forms n)
  "The text of FORMS, a property list of FORMAT strings by category, for N. Every language has :other."
  (format nil (getf forms (plural-category language n) (getf forms :other)) n))
;; snippet:usage
(let ((polish '(:one "~d plik" :few "~d pliki" :many "~d plików" :other "~d pliku"))
      (english '(:one "~d file" :other "~d files")))
  (format t "~{~a~^, ~}~%" (mapcar (lambda (n) (message :pl polish n)) '(1 3 5 12 22)))
  (format t "~{~a~^, ~}~%" (mapcar (lambda (n) (message :en english n)) '(1 2))))
