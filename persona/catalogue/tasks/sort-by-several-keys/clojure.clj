;; snippet:doc https://clojuredocs.org/clojure.core/sort-by sort-by
;; snippet:prints (Cy Di Ann bo)
;; snippet:prints (Cy bo Di Ann)
(require '[clojure.string :as str])

(defn rank
  "Best score first, then the shorter time, then the name: `juxt` makes a key
  vector, and vectors of the same length compare element by element."
  [players]
  (sort-by (juxt (comp - :score) :seconds (comp str/lower-case :name)) players))

(defn sort-by-columns
  "Sorts by columns chosen at run time: [[:score :desc] [:name :asc]]."
  [columns rows]
  (let [compare-by (fn [[column direction]]
                     (fn [a b]
                       (let [order (compare (column a) (column b))]
                         (if (= direction :desc) (- order) order))))
        comparisons (map compare-by columns)]
    (sort (fn [a b] (or (first (remove zero? (map #(% a b) comparisons))) 0))
          rows)))
;; snippet:check
(let [players [{:name "bo" :score 10 :seconds 2.5} {:name "Ann" :score 10 :seconds 2.5} {:name "Cy" :score 12 :seconds 9.0} {:name "Di" :score 10 :seconds 1.0}]]
  (println (map :name (rank players)))
  (println (map :name (sort-by-columns [[:score :desc] [:name :desc]] players))))
