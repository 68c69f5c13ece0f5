;; snippet:doc https://clojuredocs.org/clojure.java.io/input-stream clojure.java.io
;; snippet:needs Java 17
;; snippet:prints 5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03
;; snippet:prints 1 0
(require '[clojure.java.io :as io])
(import '(java.security DigestInputStream MessageDigest)
        '(java.util HexFormat))

(defn sha256
  "SHA-256 of a file, in hexadecimal. Works in blocks, whatever the size."
  [file]
  (let [digest (MessageDigest/getInstance "SHA-256")]
    (with-open [in (DigestInputStream. (io/input-stream file) digest)]
      (io/copy in (java.io.OutputStream/nullOutputStream)))
    (.formatHex (HexFormat/of) (.digest digest))))

(defn changed
  "The files of a map from path to published checksum that do not match it."
  [published]
  (for [[path expected] published
        :when (not (.equalsIgnoreCase ^String expected (sha256 path)))]
    path))
;; snippet:check
(let [file (java.io.File/createTempFile "snippet" ".txt")]
  (spit file "hello\n")
  (println (sha256 file))
  (println (count (changed {file "00"})) (count (changed {file (.toUpperCase (sha256 file))})))
  (io/delete-file file))
