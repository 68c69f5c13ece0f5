-- snippet:doc https://hackage.haskell.org/package/containers/docs/Data-IntMap-Strict.html Data.IntMap.Strict
-- snippet:prints 960 2 (6.0,2.0,4.0)
-- snippet:prints 1020 0 (0.0,Infinity,-Infinity)
-- snippet:prints 1080 1 (7.0,7.0,7.0)
import Data.IntMap.Strict (IntMap)
import qualified Data.IntMap.Strict as IntMap

data Bucket = Bucket {count :: !Int, total :: !Double, low :: !Double, high :: !Double}
  deriving (Show)

instance Semigroup Bucket where
  Bucket n s l h <> Bucket n' s' l' h' = Bucket (n + n') (s + s') (min l l') (max h h')

instance Monoid Bucket where
  mempty = Bucket 0 0 (1 / 0) (-1 / 0)

-- | Readings of (Unix seconds, value) in intervals of @width@ seconds, by the
-- start of the interval. Intervals without readings are 'mempty'.
buckets :: Int -> [(Int, Double)] -> IntMap Bucket
buckets width readings = IntMap.union filled gaps
  where
    start t = t - t `mod` width
    filled = IntMap.fromListWith (<>) [(start t, Bucket 1 v v v) | (t, v) <- readings]
    gaps = case (IntMap.lookupMin filled, IntMap.lookupMax filled) of
      (Just (first, _), Just (final, _)) ->
        IntMap.fromList [(t, mempty) | t <- [first, first + width .. final]]
      _ -> IntMap.empty
-- snippet:check
main :: IO ()
main = mapM_ line (IntMap.toList (buckets 60 [(1000, 2), (1010, 4), (1130, 7)]))
  where
    line (t, b) = putStrLn (show t ++ " " ++ show (count b) ++ " " ++ show (total b, low b, high b))
