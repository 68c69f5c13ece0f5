-- snippet:doc https://hackage.haskell.org/package/QuickCheck/docs/Test-QuickCheck.html Test.QuickCheck
-- snippet:into Load it into GHCi with the package QuickCheck, and check a property: quickCheck prop_roundTrip
-- snippet:prints [True,True,True]
import Data.List (group, sort)
import Test.QuickCheck

-- | Run-length encoding: "aab" becomes [('a',2),('b',1)].
encode :: Eq a => [a] -> [(a, Int)]
encode items = [(x, length run) | run@(x : _) <- group items]

decode :: [(a, Int)] -> [a]
decode = concatMap (\(x, n) -> replicate n x)

-- | @quickCheck prop_roundTrip@ tries 100 random texts, and prints one that breaks it.
prop_roundTrip :: String -> Bool
prop_roundTrip text = decode (encode text) == text

prop_neighboursDiffer :: [Bool] -> Property
prop_neighboursDiffer items =
  cover 20 (length items > 3) "long enough to matter" $
    and (zipWith (/=) runs (drop 1 runs))
  where
    runs = map fst (encode items)

prop_sortKeepsLength :: [Int] -> Bool
prop_sortKeepsLength items = length (sort items) == length items
-- snippet:check
main :: IO ()
main = do
  let quiet = stdArgs {chatty = False, maxSuccess = 200}
  results <- sequence [quickCheckWithResult quiet prop_roundTrip, quickCheckWithResult quiet prop_neighboursDiffer, quickCheckWithResult quiet prop_sortKeepsLength]
  print (map isSuccess results)
