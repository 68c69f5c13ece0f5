-- snippet:description The length of the longest common subsequence of two texts, from a table whose cells refer to each other.
-- snippet:description Laziness computes each cell at most once, when it is needed.
-- snippet:title A table that fills itself, by laziness
-- snippet:why Each cell is computed once at most, although others ask for it several times.
-- snippet:doc https://hackage.haskell.org/package/array/docs/Data-Array.html Data.Array
-- snippet:prints (13,0,150)
import Data.Array (listArray, range, (!))

-- | Length of the longest common subsequence. The table refers to itself:
-- laziness fills each cell at most once, in whatever order they are needed.
longestCommon :: String -> String -> Int
longestCommon left right = table ! (0, 0)
  where
    (rows, columns) = (length left, length right)
    a = listArray (0, max 0 (rows - 1)) left
    b = listArray (0, max 0 (columns - 1)) right
    bounds = ((0, 0), (rows, columns))
    table = listArray bounds [cell i j | (i, j) <- range bounds]

    cell i j
      | i == rows || j == columns = 0
      | a ! i == b ! j = 1 + table ! (i + 1, j + 1)
      | otherwise = max (table ! (i + 1, j)) (table ! (i, j + 1))
-- snippet:check
main :: IO ()
main = print (longestCommon "the quick brown fox" "a quiet brown ox", longestCommon "" "x", longestCommon (replicate 300 'a') (cycle300 "ab"))
  where
    cycle300 = take 300 . cycle
