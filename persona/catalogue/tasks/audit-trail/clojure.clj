;; snippet:doc https://clojuredocs.org/clojure.core/add-watch add-watch
;; snippet:description Record each change of an atom with its author and what was different before and after. A watch sends it to
;; snippet:description an agent, which adds one record after the other to a vector in memory. It is for maps: of a changed list the
;; snippet:description record has only the places that differ. Changes of two threads at the same moment may be recorded in another order.
;; snippet:why While the program runs, it can say who changed what, and from what.
;; snippet:prints {:author ada, :was {:limit 100}, :is {:limit 200}}
;; snippet:prints {:author system, :was {:note a}, :is nil}
(require '[clojure.data :as data])

(def ^:dynamic *author* "system")

(defn audited
  "An atom whose changes are recorded: by whom, what it was and what it is."
  [initial record!]
  (doto (atom initial)
    (add-watch ::audit
               (fn [_ _ before after]
                 (when (not= before after)
                   (let [[was is _same] (data/diff before after)]
                     (record! {:author *author*, :was was, :is is})))))))

(def trail
  "An agent adds one record after the other; (shutdown-agents) ends its threads."
  (agent []))

(defn record! [entry]
  (send trail conj entry))
;; snippet:usage
(def settings (audited {:limit 100, :note "a"} record!))
(binding [*author* "ada"] (swap! settings assoc :limit 200))
(swap! settings dissoc :note)
(await trail)
(run! println @trail)
(shutdown-agents)
