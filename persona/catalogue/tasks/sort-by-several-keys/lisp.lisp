;; snippet:check
;; snippet:doc https://www.lispworks.com/documentation/HyperSpec/Body/f_sort_.htm SORT and STABLE-SORT
;; snippet:prints (Ada 91) (Bea 91) (Carl 70)
;; snippet:end
(defstruct player name points)

(defun sort-by-keys (list &rest keys)
  "A copy of LIST in the order of the KEYS, each a list of a test and a function: ((> points) (string< name)).
The last key is sorted by first; stable sorts keep that order where an earlier key says nothing."
  (let ((sorted (copy-list list)))
    (loop for (test key) in (reverse keys)
          do (setf sorted (stable-sort sorted test :key key)))
    sorted))

(defun ranking (players)
  (sort-by-keys players
                (list #'> #'player-points)
                (list #'string-lessp #'player-name)))
;; snippet:check
(format t "~{~a~^ ~}~%"
        (mapcar (lambda (p) (format nil "(~a ~d)" (player-name p) (player-points p)))
                (ranking (list (make-player :name "Carl" :points 70) (make-player :name "Bea" :points 91) (make-player :name "Ada" :points 91)))))
