-- snippet:doc https://hackage.haskell.org/package/async/docs/Control-Concurrent-Async.html Control.Concurrent.Async
-- snippet:into It needs the package async.
-- snippet:prints [1,4,9,16,25]
-- snippet:prints Left divide by zero
import Control.Concurrent.Async (forConcurrently)
import Control.Concurrent.QSem (newQSem, signalQSem, waitQSem)
import Control.Exception (bracket_)
import Data.Foldable (toList)
-- snippet:usage
import Control.Exception (ArithException, evaluate, try)
-- snippet:end
-- | Maps with at most @limit@ actions (or 1) at a time and keeps the order. The first
-- exception cancels the others and is thrown here.
mapLimited :: Foldable t => Int -> t a -> (a -> IO b) -> IO [b]
mapLimited limit items action = do
  slots <- newQSem (max 1 limit)
  forConcurrently (toList items) $ \item ->
    bracket_ (waitQSem slots) (signalQSem slots) (action item)
-- snippet:usage
main :: IO ()
main = do
  squares <- mapLimited 2 [1 .. 5 :: Int] (\n -> pure (n * n))
  print squares
  failed <- try (mapLimited 0 [1, 0 :: Int] (\n -> evaluate (10 `div` n)))
  print (failed :: Either ArithException [Int])
