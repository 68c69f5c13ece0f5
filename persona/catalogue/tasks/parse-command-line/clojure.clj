;; snippet:doc https://github.com/clojure/tools.cli tools.cli
;; snippet:into It needs the library tools.cli.
;; snippet:needs Clojure 1.11
;; snippet:prints {:options {:top 3, :verbose true}, :files [a.txt]}
;; snippet:prints {:exit 2, :message Failed to validate "--top x": must be a number from 1}
;; snippet:prints 2 Unknown option: "--quiet"
(require '[clojure.string :as str]
         '[clojure.tools.cli :refer [parse-opts]])

(def cli-options
  [["-n" "--top N" "How many words to show"
    :default 10
    :parse-fn parse-long
    :validate [#(and % (pos? %)) "must be a number from 1"]]
   ["-v" "--verbose" "Say more"]
   ["-h" "--help"]])

(defn parse-args
  "Either `{:exit code, :message text}` or `{:options map, :files list}`.
  tools.cli passes over the value of a switch: --verbose=no says yes."
  [args]
  (let [{:keys [options arguments errors summary]} (parse-opts args cli-options)
        usage (str "usage: words [options] FILE...\n" summary)]
    (cond
      (:help options)    {:exit 0, :message usage}
      errors             {:exit 2, :message (str/join \newline errors)}
      (empty? arguments) {:exit 2, :message usage}
      :else              {:options options, :files arguments})))
;; snippet:usage
(println (parse-args ["-v" "--top" "3" "a.txt"]))
(println (parse-args ["--top" "x" "a"]))
(println (:exit (parse-args [])) (:message (parse-args ["--quiet" "a"])))
