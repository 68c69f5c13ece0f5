;; snippet:description Remember the results of a function that always gives the same answer for the same arguments, but no more than
;; snippet:description a given number of them. When there is no room, the oldest result is forgotten and computed again when it is
;; snippet:description asked for.
;; snippet:doc https://clojure.org/reference/atoms Atoms
;; snippet:prints [1 1 4 9 1] 4
(defn memo-with-limit
  "Like `memoize`, but forgets the oldest results beyond `limit`. Safe for many
  threads; two of them may compute the same value at the same time."
  [limit f]
  {:pre [(pos? limit)]}
  (let [cache (atom {:results {}, :order clojure.lang.PersistentQueue/EMPTY})
        remember (fn [{:keys [results order] :as state} args value]
                   (cond
                     (contains? results args) state
                     (< (count results) limit)
                     {:results (assoc results args value), :order (conj order args)}
                     :else
                     {:results (-> results (dissoc (peek order)) (assoc args value))
                      :order (-> order pop (conj args))}))]
    (fn [& args]
      (if-let [[_ value] (find (:results @cache) args)]
        value
        (let [value (apply f args)]
          (swap! cache remember args value)
          value)))))
;; snippet:check
(def calls (atom 0))
(def square (memo-with-limit 2 (fn [n] (swap! calls inc) (* n n))))
(println (mapv square [1 1 2 3 1]) @calls)
