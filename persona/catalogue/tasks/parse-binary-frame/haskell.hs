-- snippet:doc https://hackage.haskell.org/package/bytestring/docs/Data-ByteString.html Data.ByteString
-- snippet:prints Complete (Frame {kind = 1, payload = "hi"}) "!"
-- snippet:prints [Incomplete,Incomplete,Invalid]
import Data.Bits (shiftL, (.|.))
import Data.ByteString (ByteString)
import qualified Data.ByteString as Bytes
import Data.Word (Word8)

data Frame = Frame {kind :: Word8, payload :: ByteString}
  deriving (Eq, Show)

data Result = Complete Frame ByteString | Incomplete | Invalid
  deriving (Eq, Show)

-- | Magic "MX", kind, length (16 bits, big-endian), payload; then the rest.
parseFrame :: ByteString -> Result
parseFrame input = case Bytes.unpack (Bytes.take 5 input) of
  [0x4D, 0x58, k, high, low]
    | Bytes.length body < size -> Incomplete
    | otherwise -> Complete (Frame k (Bytes.take size body)) (Bytes.drop size body)
    where
      size = fromIntegral high `shiftL` 8 .|. fromIntegral low
      body = Bytes.drop 5 input
  header | header `startsLike` [0x4D, 0x58] -> Incomplete
  _ -> Invalid
  where
    startsLike header magic = and (zipWith (==) header magic) && length header < 5
-- snippet:check
main :: IO ()
main = do
  print (parseFrame (Bytes.pack [0x4D, 0x58, 1, 0, 2, 104, 105, 33]))
  print (map (parseFrame . Bytes.pack) [[0x4D], [0x4D, 0x58, 1, 0, 9, 1], [1, 2, 3, 4, 5]])
