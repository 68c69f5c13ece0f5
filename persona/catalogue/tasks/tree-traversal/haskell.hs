-- snippet:doc https://hackage.haskell.org/package/base/docs/Data-Foldable.html Data.Foldable
-- snippet:prints house
-- snippet:prints - kitchen
-- snippet:prints - - stove
-- snippet:prints - garden
-- snippet:prints ([(1,"house"),(2,"kitchen"),(3,"stove"),(4,"garden")],3,4)
{-# LANGUAGE DeriveTraversable #-}

-- snippet:check
import Data.Foldable (toList)
-- snippet:end
import Data.Traversable (mapAccumL)

data Tree a = Node a [Tree a]
  deriving (Functor, Foldable, Traversable)

-- | One line per node, indented by its depth.
outline :: Tree String -> [String]
outline = go 0
  where
    go depth (Node label children) =
      (concat (replicate depth "- ") ++ label) : concatMap (go (depth + 1)) children

-- | Numbers the nodes from 1, parents before their children. The compiler has
-- written the walk: deriving Traversable is enough.
number :: Tree a -> Tree (Int, a)
number = snd . mapAccumL (\n label -> (n + 1, (n, label))) 1

deepest :: Tree a -> Int
deepest (Node _ children) = 1 + maximum (0 : map deepest children)
-- snippet:check
main :: IO ()
main = do
  let house = Node "house" [Node "kitchen" [Node "stove" []], Node "garden" []]
  mapM_ putStrLn (outline house)
  print (toList (number house), deepest house, length house)
