;; snippet:doc https://clojuredocs.org/clojure.core/frequencies frequencies
;; snippet:prints the           4
;; snippet:prints cat           2
;; snippet:prints dog           2
(import 'java.util.Locale)

(defn top-words
  "The `n` most frequent words (of letters, not digits) with their counts; ties sorted by word."
  [n text]
  (->> (.toLowerCase ^String text Locale/ROOT) ; the same on every machine
       (re-seq #"\p{L}[\p{L}\p{M}]*(?:['’]\p{L}[\p{L}\p{M}]*)*+") ; *+: no stack
       frequencies
       (sort-by (juxt (comp - val) key))
       (take n)))

(defn print-table [rows]
  (doseq [[word n] rows]
    (println (format "%-10s %4s" word n))))
;; snippet:check
(assert (= 1 (count (top-words 3 (apply str (repeat 100000 "a'"))))))
(print-table (top-words 3 "The cat saw the dog. The 'dog' didn't see; the cat did! ❤️ ❤️ ❤️ ❤️ ❤️"))
