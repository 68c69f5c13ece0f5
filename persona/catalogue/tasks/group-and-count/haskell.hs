-- snippet:doc https://hackage.haskell.org/package/containers/docs/Data-Map-Strict.html Data.Map.Strict
-- snippet:prints Bath 1 900
-- snippet:prints Rome 2 600
import Data.List (sortOn)
import qualified Data.Map.Strict as Map
import Data.Ord (Down (..))

data Total = Total {count :: !Int, cents :: !Int}
  deriving (Show)

instance Semigroup Total where
  Total n a <> Total m b = Total (n + m) (a + b)

-- | Count and sum per city, the largest sum first. The strict map keeps no
-- unevaluated sums, so it runs in the space of the groups.
totals :: [(String, Int)] -> [(String, Total)]
totals sales = sortOn (Down . cents . snd) (Map.toAscList groups)
  where
    groups = Map.fromListWith (<>) [(city, Total 1 amount) | (city, amount) <- sales]
-- snippet:usage
main :: IO ()
main = mapM_ (\(city, total) -> putStrLn (city ++ " " ++ show (count total) ++ " " ++ show (cents total)))
  (totals [("Rome", 200), ("Bath", 900), ("Rome", 400)])
