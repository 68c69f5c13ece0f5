;; snippet:doc https://clojure.github.io/data.json/ data.json
;; snippet:prints {:id a1, :quantity 1, :notes []}
;; snippet:prints id: a text is required
;; snippet:prints quantity: must be a positive number
;; snippet:prints notes: must be texts
(require '[clojure.data.json :as json])

(defn parse-order
  "An order from JSON text, with defaults; throws `ex-info` naming the field."
  [text]
  (let [order (merge {:quantity 1, :notes []}
                     (json/read-str text :key-fn keyword))
        refuse (fn [field message]
                 (throw (ex-info (str (name field) ": " message)
                                 {:field field, :value (field order)})))]
    (when-not (string? (:id order)) (refuse :id "a text is required"))
    (when-not (pos-int? (:quantity order)) (refuse :quantity "must be a positive number"))
    (when-not (every? string? (:notes order)) (refuse :notes "must be texts"))
    (select-keys order [:id :quantity :notes])))
;; snippet:check
(println (parse-order "{\"id\": \"a1\", \"extra\": true}"))
(doseq [bad ["{\"quantity\": 2}" "{\"id\": \"a\", \"quantity\": \"two\"}" "{\"id\": \"a\", \"notes\": [1]}"]]
  (println (try (parse-order bad) (catch clojure.lang.ExceptionInfo e (ex-message e)))))
