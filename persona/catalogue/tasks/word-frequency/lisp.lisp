;; snippet:check
;; snippet:doc https://www.lispworks.com/documentation/HyperSpec/Body/m_loop.htm LOOP
;; snippet:prints the 3
;; snippet:prints fox 2
;; snippet:end
(defun words (text)
  "The words of a text in lower case; an apostrophe (') within a word belongs to it.
A digit ends a word, and so does a mark that is no letter: an accent by itself (NFD), a Hindi vowel sign.
The Greek σ and ς are two letters."
  (flet ((in-word-p (char) (or (alpha-char-p char) (char= char #\'))))
    (loop for start = (position-if #'in-word-p text) then (position-if #'in-word-p text :start end)
          for end = (and start (or (position-if-not #'in-word-p text :start start) (length text)))
          while start
          unless (every (lambda (char) (char= char #\')) (subseq text start end))
            collect (string-trim "'" (string-downcase (subseq text start end))))))

(defun most-frequent (text n)
  "The N most frequent words of TEXT with their counts, ties sorted by word."
  (let ((counts (make-hash-table :test #'equal)))
    (dolist (word (words text))
      (incf (gethash word counts 0)))
    (let ((pairs (loop for word being the hash-keys of counts using (hash-value count)
                       collect (cons word count))))
      (setf pairs (sort pairs #'string< :key #'car))
      (setf pairs (stable-sort pairs #'> :key #'cdr))
      (subseq pairs 0 (min n (length pairs))))))
;; snippet:check
(loop for (word . count) in (most-frequent "The fox, the dog; the FOX! A dog's 'bone' ''" 2)
      do (format t "~a ~d~%" word count))
(assert (equal '("a" "dog's" "bone") (words "A dog's 'bone' ''")))
