;; snippet:doc https://clojuredocs.org/clojure.core/sort sort
;; snippet:prints {50 100, 95 190, 99 198, 100 200}
;; snippet:prints :done true
(defn percentile
  "Nearest rank, p from 0 to 100: a sample that was really measured; nil without samples."
  [sorted p]
  (let [rank (long (Math/ceil (- (/ (* p (count sorted)) 100.0) 1e-7)))] ; 99.9 * 41000 / 100 is above 40959
    (nth sorted (dec (max 1 rank)) nil)))

(defn summary [samples]
  (let [sorted (vec (sort samples))]
    (into (sorted-map)
          (for [p [50 95 99 100]]
            [p (percentile sorted p)]))))

(defmacro timed
  "Evaluates the body; returns [result milliseconds]."
  [& body]
  `(let [start# (System/nanoTime)
         result# (do ~@body)]
     [result# (/ (- (System/nanoTime) start#) 1e6)]))
;; snippet:check
(assert (= 40959 (percentile (vec (range 1 41001)) 99.9)))
(println (summary (shuffle (range 1 201))))
(let [[result ms] (timed (Thread/sleep 3) :done)] (println result (>= ms 3)))
