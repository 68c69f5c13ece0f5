;; snippet:description Move an amount between two accounts in memory with software transactional memory: a transaction that
;; snippet:description reads both sees both changed, or neither. A validator refuses a balance below zero and undoes the transaction.
;; snippet:doc https://clojure.org/reference/refs Refs and transactions
;; snippet:prints :done :insufficient-funds 70 30
;; snippet:prints Assert failed: (pos-int? cents)
;; snippet:prints 0 100
(defn account [cents]
  (ref cents :validator (fn [balance] (>= balance 0))))

(defn transfer!
  "Moves an amount between two accounts. A transaction that reads both sees
  both changed, or neither; the validator refuses a debt and rolls everything back."
  [from to cents]
  {:pre [(pos-int? cents)]}
  (try
    (dosync
     (alter to + cents)
     (alter from - cents))
    :done
    (catch IllegalStateException _
      :insufficient-funds)))

(defn total
  "A consistent sum: `ensure` keeps the accounts unchanged while we add."
  [accounts]
  (dosync (reduce + (map ensure accounts))))
;; snippet:check
(let [a (account 100), b (account 0)]
  (println (transfer! a b 30) (transfer! a b 80) @a @b)
  (println (try (transfer! a b -10) (catch AssertionError e (ex-message e))))
  (dorun (pmap (fn [_] (transfer! a b 1)) (range 100)))
  (println @a (total [a b])))
(shutdown-agents)
