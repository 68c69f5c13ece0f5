;; snippet:doc https://clojuredocs.org/clojure.core/split-at split-at
;; snippet:prints 36642e73
(import '(java.security MessageDigest) '(java.util HexFormat))

(defn- sha256 [& parts]
  (let [digest (MessageDigest/getInstance "SHA-256")]
    (doseq [^bytes part parts]
      (.update digest part))
    (.digest digest)))

(defn merkle-root
  "The Merkle tree hash of RFC 9162. Leaves and nodes have different prefixes,
  so that one can never pass for the other."
  [leaves]
  (let [n (count leaves)]
    (case n
      0 (sha256)
      1 (sha256 (byte-array [0]) (first leaves))
      (let [[left right] (split-at (Long/highestOneBit (dec n)) leaves)]
        (sha256 (byte-array [1]) (merkle-root left) (merkle-root right))))))
;; snippet:check
(println (subs (.formatHex (HexFormat/of) (merkle-root (map #(.getBytes ^String %) ["a" "b" "c"]))) 0 8))
