;; snippet:doc https://clojure.org/guides/spec clojure.spec guide
;; snippet:prints {:age must be a whole number from 0 to 149, :email must look like ada@example.com, in 254 characters at most, :name must be a text that is not blank}
;; snippet:prints {}
(require '[clojure.spec.alpha :as s]
         '[clojure.string :as str])

(s/def :user/name (s/and string? (complement str/blank?)))
(s/def :user/email (s/and string? #(<= (count %) 254) #(re-matches #"[^@\s]+@[^@\s.]+(\.[^@\s.]+)+" %)))
(s/def :user/age (s/int-in 0 150))
(s/def :user/sign-up (s/keys :req-un [:user/name :user/email] :opt-un [:user/age]))

(def messages
  {:name "must be a text that is not blank"
   :email "must look like ada@example.com, in 254 characters at most"
   :age "must be a whole number from 0 to 149"})

(defn problems
  "A map from field to message, empty for a valid form. The form is a map as well."
  [form]
  (into (sorted-map)
        (for [{:keys [in pred]} (:clojure.spec.alpha/problems (s/explain-data :user/sign-up form))
              :let [field (or (first in) (-> pred last last))]]
          [field (messages field "is not valid")])))
;; snippet:check
(println (problems {:name " " :email "ada@" :age 200}))
(println (problems {:name "Ada" :email "ada@example.com"}))
