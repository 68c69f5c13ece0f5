;; snippet:doc https://clojuredocs.org/clojure.core/get-in get-in
;; snippet:prints (:idle :dialling :connected :dialling :connected :idle)
;; snippet:prints [event :lost is not allowed in state :idle (:connect)]
(def transitions
  "State -> event -> next state. Data: it can be drawn, stored and tested."
  {:idle      {:connect :dialling}
   :dialling  {:accepted :connected, :refused :idle, :timeout :idle}
   :connected {:hang-up :idle, :lost :dialling}})

(defn step
  "The next state; throws with all it knows when the event is not allowed."
  [state event]
  (or (get-in transitions [state event])
      (throw (ex-info (str "event " event " is not allowed in state " state)
                      {:state state, :event event, :allowed (keys (transitions state))}))))

(defn history
  "All states that a sequence of events passes through."
  [start events]
  (reductions step start events))
;; snippet:usage
(println (history :idle [:connect :accepted :lost :accepted :hang-up]))
(println (try (step :idle :lost) (catch clojure.lang.ExceptionInfo e [(ex-message e) (:allowed (ex-data e))])))
