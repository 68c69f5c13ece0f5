;; snippet:doc https://clojure.org/reference/transducers Transducers
;; snippet:prints Bath 1 900
;; snippet:prints Rome 2 600
;; snippet:prints 600
(defn totals
  "Count and sum of the sales per city, the largest sum first."
  [sales]
  (->> sales
       (reduce (fn [groups {:keys [city cents]}]
                 (update groups city
                         (fnil (fn [total] (-> total
                                               (update :count inc)
                                               (update :cents + cents)))
                               {:count 0, :cents 0})))
               {})
       (map (fn [[city total]] (assoc total :city city)))
       (sort-by (juxt (comp - :cents) :city))))

(defn revenue
  "One number needs no groups: a transducer filters and sums in one pass."
  [city sales]
  (transduce (comp (filter #(= city (:city %))) (map :cents)) + sales))
;; snippet:usage
(let [sales [{:city "Rome" :cents 200} {:city "Bath" :cents 900} {:city "Rome" :cents 400}]]
  (doseq [{:keys [city count cents]} (totals sales)] (println city count cents))
  (println (revenue "Rome" sales)))
