-- snippet:doc https://hackage.haskell.org/package/base/docs/Data-Ord.html Data.Ord
-- snippet:prints [(1,"Cy"),(2,"Ann"),(3,"bo"),(4,"Eve")]
import Data.Char (toLower)
import Data.List (sortBy)
import Data.Ord (Down (..), comparing)

data Player = Player
  { name :: String
  , score :: Maybe Int
  , seconds :: Double
  }

-- | Best score first, no score last ('Nothing' is the smallest, 'Down' turns
-- it around), then the shorter time (never NaN), then the name. Orderings are a monoid.
ranking :: Player -> Player -> Ordering
ranking = comparing (Down . score) <> comparing seconds <> comparing (map toLower . name)

rank :: [Player] -> [(Int, String)]
rank = zip [1 ..] . map name . sortBy ranking
-- snippet:check
main :: IO ()
main = print (rank [Player "bo" (Just 10) 2.5, Player "Ann" (Just 10) 2.5, Player "Eve" Nothing 0.1, Player "Cy" (Just 12) 9])
