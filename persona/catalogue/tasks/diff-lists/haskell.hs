-- snippet:doc https://hackage.haskell.org/package/containers/docs/Data-Map-Merge-Strict.html Data.Map.Merge.Strict
-- snippet:prints ("log",Added "json")
-- snippet:prints ("port",Changed "80" "443")
-- snippet:prints ("tls",Removed "off")
import Data.Map.Merge.Strict
import Data.Map.Strict (Map)
-- snippet:check
import qualified Data.Map.Strict as Map
-- snippet:end

data Change a = Added a | Removed a | Changed a a
  deriving (Eq, Show)

-- | What turns one map into another, by key.
diff :: (Ord k, Eq a) => Map k a -> Map k a -> Map k (Change a)
diff =
  merge
    (mapMissing (const Removed))
    (mapMissing (const Added))
    (zipWithMaybeMatched changed)
  where
    changed _key old new
      | old == new = Nothing
      | otherwise = Just (Changed old new)
-- snippet:check
main :: IO ()
main = mapM_ print (Map.toList (diff (Map.fromList [("port", "80"), ("host", "a"), ("tls", "off")]) (Map.fromList [("port", "443"), ("host", "a"), ("log", "json")])))
