;; snippet:doc https://clojuredocs.org/clojure.core/loop loop
;; snippet:prints done after 3
;; snippet:prints down
(defn retry
  "Calls `f` until it does not throw an IOException, at most `attempts` times,
  and sleeps a random part of a delay in between, which doubles up to 30 s."
  [attempts delay-ms f]
  (loop [attempt 1
         limit delay-ms]
    (let [[outcome value] (try
                            [:ok (f)]
                            (catch java.io.IOException e
                              (if (>= attempt attempts) (throw e) [:failed e])))]
      (if (= outcome :ok)
        value
        (do
          (Thread/sleep (long (rand-int (inc limit))))
          (recur (inc attempt) (min 30000 (* 2 limit))))))))
;; snippet:check
(def calls (atom 0))
(println (retry 5 1 #(if (< (swap! calls inc) 3) (throw (java.io.IOException. "busy")) (str "done after " @calls))))
(println (try (retry 2 1 #(throw (java.io.IOException. "down"))) (catch java.io.IOException e (ex-message e))))
