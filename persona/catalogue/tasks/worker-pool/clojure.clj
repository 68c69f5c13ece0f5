;; snippet:doc https://clojuredocs.org/clojure.core.async/pipeline-blocking core.async pipeline-blocking
;; snippet:into It needs the library core.async.
;; snippet:prints [{:ok 10} {:ok 5} {:error java.lang.ArithmeticException: Divide by zero} {:ok 2}]
;; snippet:prints thrown
(require '[clojure.core.async :as async])

(defn pmap-limited
  "Maps on `n` threads, for work that waits. No item may be nil. The results keep their order; an
  exception becomes the result of its item instead of stopping the others."
  [n f items]
  (let [results (async/chan n)
        safely (fn [item]
                 (try
                   {:ok (f item)}
                   (catch Throwable e ; an Error would vanish with its item
                     {:error (str e)})))] ; the message alone can be nil
    (async/pipeline-blocking n results (map safely) (async/to-chan! (vec items))) ; vec: a lazy item fails here
    (async/<!! (async/into [] results))))
;; snippet:usage
(println (pmap-limited 2 #(/ 10 %) [1 2 0 5]))
(println (deref (future (try (pmap-limited 2 inc (map #(/ 1 (- 500 %)) (range 1000)))
                            (catch ArithmeticException _ 'thrown)))
                10000 'hangs))
(shutdown-agents)
