;; snippet:doc https://clojuredocs.org/clojure.set/difference clojure.set/difference
;; snippet:prints {:added (3), :removed (1), :changed {2 {:name [b c]}}}
(require '[clojure.set :as set])

(defn diff
  "How two lists of maps differ, matched by their `id`.
  A field that is nil is a missing one."
  [id before after]
  (let [old (into {} (map (juxt id identity)) before)
        new (into {} (map (juxt id identity)) after)
        [old-ids new-ids] (map (comp set keys) [old new])]
    {:added   (sort (set/difference new-ids old-ids))
     :removed (sort (set/difference old-ids new-ids))
     :changed (into (sorted-map)
                    (for [k (set/intersection old-ids new-ids)
                          :let [[a b] (map #(get % k) [old new])
                                fields (filter #(not= (a %) (b %)) (keys (merge a b)))]
                          :when (seq fields)]
                      [k (zipmap fields (map (juxt a b) fields))]))}))
;; snippet:usage
(println (diff :id [{:id 1 :name "a"} {:id 2 :name "b"}] [{:id 2 :name "c"} {:id 3 :name "d"}]))
