;; snippet:doc https://clojuredocs.org/clojure.core/group-by group-by
;; snippet:prints 2026-01-01T00:00:00Z 2 3
;; snippet:prints 2026-01-01T00:01:00Z 0 nil
;; snippet:prints 2026-01-01T00:02:00Z 1 7
(import '(java.time Instant))

(defn buckets
  "Groups [instant value] readings into intervals of `width` whole seconds. Intervals
  without readings are there as well, with count 0: a gap is information."
  [width readings]
  (let [index (fn [[at _]] (Math/floorDiv (.getEpochSecond ^Instant at) (long width)))
        groups (group-by index readings)
        indices (sort (keys groups))]
    (when (seq indices)
      (for [i (range (first indices) (inc (last indices)))
            :let [values (map second (groups i))]]
        {:start (str (Instant/ofEpochSecond (* i width)))
         :count (count values)
         :mean (when (seq values) (/ (reduce + values) (count values)))}))))
;; snippet:check
(doseq [b (buckets 60 [[(Instant/parse "2026-01-01T00:00:00Z") 2] [(Instant/parse "2026-01-01T00:00:20Z") 4] [(Instant/parse "2026-01-01T00:02:10Z") 7]])]
  (println (:start b) (:count b) (:mean b)))
