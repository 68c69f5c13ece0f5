;; snippet:doc https://clojuredocs.org/clojure.core/reductions reductions
;; snippet:prints (20.0 20.0 24.0 22.0 21.0)
;; snippet:prints [20 20 24 22 21]
(defn smoother
  "A step function: the smoothed value moves by the share `alpha` (0 to 1)
  towards each reading. The first reading is the start."
  [alpha]
  (fn [smoothed reading]
    (+ smoothed (* alpha (- reading smoothed)))))

(defn smooth [alpha readings]
  (if (seq readings) (reductions (smoother alpha) readings) ()))

(defn smoothing
  "The same as a transducer, for channels and files: one number of memory."
  [alpha]
  (fn [rf]
    (let [state (volatile! nil)]
      (fn
        ([] (rf))
        ([result] (rf result))
        ([result reading]
         (rf result (vswap! state #(if % ((smoother alpha) % reading) reading))))))))
;; snippet:check
(assert (empty? (smooth 0.5 [])))
(println (smooth 0.5 [20.0 20.0 28.0 20.0 20.0]))
(println (into [] (comp (smoothing 0.5) (map #(Math/round ^double %))) [20.0 20.0 28.0 20.0 20.0]))
