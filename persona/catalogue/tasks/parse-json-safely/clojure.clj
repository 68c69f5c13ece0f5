;; snippet:doc https://clojure.github.io/data.json/ data.json
;; snippet:needs data.json 2.5
;; snippet:into Paste it into a REPL with the library data.json, and call it.
;; snippet:prints {:id a1, :quantity 1, :notes []}
;; snippet:prints id: a text is required
;; snippet:prints quantity: must be a whole number above zero
;; snippet:prints quantity: must be a whole number above zero
;; snippet:prints quantity: must be a whole number above zero
;; snippet:prints notes: must be a list of texts
;; snippet:prints notes: must be a list of texts
;; snippet:prints order: must be an object
;; snippet:prints order: must be an object
;; snippet:prints order: is not JSON
;; snippet:prints order: is not JSON
;; snippet:prints order: is nested too deeply
(require '[clojure.data.json :as json]
         '[clojure.string :as str])

(defn- refuse [field message]
  (throw (ex-info (str (name field) ": " message) {:field field})))

(defn parse-order
  "An order from JSON text, with defaults; throws `ex-info` naming the field."
  [text]
  (let [json (try (json/read-str (str/trimr text) :key-fn keyword :extra-data-fn json/on-extra-throw)
                  (catch Exception _ (refuse :order "is not JSON"))
                  (catch StackOverflowError _ (refuse :order "is nested too deeply")))
        _ (when-not (map? json) (refuse :order "must be an object"))
        ;; merge, not `or`: a null or false that was sent is no missing field
        {:keys [id quantity notes] :as order} (merge {:quantity 1 :notes []} json)]
    (when-not (string? id) (refuse :id "a text is required"))
    (when-not (and (integer? quantity) (pos? quantity)) (refuse :quantity "must be a whole number above zero"))
    (when-not (and (vector? notes) (every? string? notes))
      (refuse :notes "must be a list of texts"))
    (select-keys order [:id :quantity :notes])))
;; snippet:check
(println (parse-order "{\"id\": \"a1\", \"extra\": true}\r\n"))
(assert (= 100000000000000000000N (:quantity (parse-order "{\"id\": \"a\", \"quantity\": 100000000000000000000}"))))
(doseq [bad ["{\"quantity\": 2}" "{\"id\": \"a\", \"quantity\": \"two\"}" "{\"id\": \"a\", \"quantity\": null}" "{\"id\": \"a\", \"quantity\": 1.5}"
             "{\"id\": \"a\", \"notes\": [1]}" "{\"id\": \"a\", \"notes\": null}" "null" "[1]" "{" "{} x" (apply str (repeat 100000 "["))]]
  (println (try (parse-order bad) (catch clojure.lang.ExceptionInfo e (ex-message e)))))
