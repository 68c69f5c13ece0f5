;; snippet:doc https://clojure.github.io/clojure/clojure.test-api.html clojure.test
;; snippet:needs Clojure 1.11
;; snippet:prints 7 passed, 0 failed
(require '[clojure.test :refer [are deftest is testing]])

(defn parse-port
  "A port number from text, or nil."
  [text]
  (when-let [port (parse-long text)]
    (when (<= 1 port 65535) port)))

(deftest parse-port-test
  (are [expected text] (= expected (parse-port text))
    1     "1"
    65535 "65535"
    nil   "0"
    nil   "65536"
    nil   "80x"
    nil   "")
  (testing "only text is accepted"
    (is (thrown? IllegalArgumentException (parse-port nil)))))
;; snippet:check
(let [result (binding [clojure.test/*test-out* (java.io.StringWriter.)] (clojure.test/run-tests))]
  (println (:pass result) "passed," (+ (:fail result) (:error result)) "failed"))
