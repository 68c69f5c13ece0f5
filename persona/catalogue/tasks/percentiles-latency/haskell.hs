-- snippet:doc https://hackage.haskell.org/package/vector/docs/Data-Vector-Unboxed.html Data.Vector.Unboxed
-- snippet:prints [(50,Just 100.0),(95,Just 190.0),(99,Just 198.0),(100,Just 200.0)]
-- snippet:prints Nothing
import Data.List (sort)
import Data.Vector.Unboxed (Vector, (!?))
import qualified Data.Vector.Unboxed as Vector

-- | Measured durations in milliseconds, smallest first.
newtype Samples = Samples (Vector Double)

fromList :: [Double] -> Samples
fromList = Samples . Vector.fromList . sort

-- | Nearest rank, @p@ from 0 to 100: a value that was really measured. 'Nothing' without samples.
percentile :: Double -> Samples -> Maybe Double
percentile p (Samples sorted) = sorted !? (max 1 rank - 1)
  where
    rank = ceiling (p * fromIntegral (Vector.length sorted) / 100 - 1e-7) -- 99.9 * 41000 / 100 is above 40959

summary :: Samples -> [(Int, Maybe Double)]
summary samples = [(p, percentile (fromIntegral p) samples) | p <- [50, 95, 99, 100]]
-- snippet:check
main :: IO ()
main = do
  print (summary (fromList [200, 199 .. 1]))
  print (percentile 50 (fromList []))
  if percentile 99.9 (fromList [1 .. 41000]) == Just 40959 then pure () else fail "99.9 percent of 41,000"
