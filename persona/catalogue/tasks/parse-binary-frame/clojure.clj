;; snippet:doc https://clojure.org/reference/java_interop Java interop
;; snippet:prints {:kind 1, :payload hi}
;; snippet:prints nil 6
;; snippet:prints not a frame
(import '(java.nio BufferUnderflowException ByteBuffer))

(def magic 0x4D58) ; "MX"

(defn read-frame
  "Takes a frame out of a buffer: magic, kind, length (16 bits, big-endian),
  payload. Returns nil, and takes nothing, while it is incomplete. The buffer
  has its first order of bytes, big-endian."
  [^ByteBuffer in]
  (.mark in)
  (try
    (when (not= magic (.getShort in))
      (throw (ex-info "not a frame" {:position (.position (.reset in))})))
    (let [kind (Byte/toUnsignedInt (.get in))
          payload (byte-array (Short/toUnsignedInt (.getShort in)))]
      (.get in payload)
      {:kind kind, :payload payload})
    (catch BufferUnderflowException _
      (.reset in)
      nil)))
;; snippet:check
(let [in (ByteBuffer/wrap (byte-array (map int "MX\u0001\u0000\u0002hiMX\u0001\u0000\u0009x")))]
  (println (update (read-frame in) :payload #(String. ^bytes %)))
  (println (read-frame in) (.remaining in)))
(println (try (read-frame (ByteBuffer/wrap (.getBytes "HTTP"))) (catch clojure.lang.ExceptionInfo e (ex-message e))))
