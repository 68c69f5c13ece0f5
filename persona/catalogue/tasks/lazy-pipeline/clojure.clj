;; snippet:doc https://clojure.org/reference/sequences Sequences
;; snippet:prints [disk net]
;; snippet:prints (144 233 377) 5358359254990966640871840N
(require '[clojure.java.io :as io]
         '[clojure.string :as str])

(defn first-errors
  "The first `n` distinct errors of a log of any size; reading stops there. The
  transducer runs while the file is open, so nothing lazy escapes."
  [n log]
  (with-open [reader (io/reader log)]
    (into []
          (comp (filter #(str/includes? % " ERROR "))
                (map #(last (str/split % #" ERROR " 2)))
                (distinct)
                (take n))
          (line-seq reader))))

(defn fibonacci
  "Endless; computed only as far as somebody looks. A function: a var would keep
  all that was ever computed."
  []
  (map first (iterate (fn [[a b]] [b (+' a b)]) [0 1])))
;; snippet:check
(println (first-errors 2 (char-array "1 INFO a\n2 ERROR disk\n3 ERROR disk\n4 ERROR net\n5 ERROR cpu")))
(println (take 3 (drop-while #(< % 100) (fibonacci))) (nth (fibonacci) 120))
