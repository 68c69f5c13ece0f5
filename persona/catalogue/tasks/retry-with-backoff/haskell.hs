-- snippet:doc https://hackage.haskell.org/package/random/docs/System-Random.html System.Random
-- snippet:prints done after 3
-- snippet:prints Left user error (down)
-- snippet:prints jitter: True
import Control.Concurrent (threadDelay)
import Control.Exception (IOException, throwIO, try)
import System.Random (randomRIO)
-- snippet:check
import Control.Monad (replicateM)
import Data.IORef (modifyIORef', newIORef, readIORef)
-- snippet:end
-- | Runs an action again after an 'IOException', at most the given number of
-- times; the longest pause doubles each time. Other exceptions pass through.
retry :: Int -> Int -> IO a -> IO a
retry attempts longestMicros action = do
  result <- try action
  case result of
    Right value -> pure value
    Left failure
      | attempts <= 1 -> throwIO (failure :: IOException)
      | otherwise -> do
          pause longestMicros >>= threadDelay
          retry (attempts - 1) (longestMicros * 2) action

-- | Jitter: clients that failed together must not come back together.
pause :: Int -> IO Int
pause longestMicros = randomRIO (longestMicros `div` 2, longestMicros)
-- snippet:check
main :: IO ()
main = do
  calls <- newIORef (0 :: Int)
  value <- retry 4 100 $ do
    modifyIORef' calls (+ 1)
    n <- readIORef calls
    if n < 3 then ioError (userError "busy") else pure ("done after " ++ show n)
  putStrLn value
  failed <- try (retry 2 100 (ioError (userError "down")))
  print (failed :: Either IOException ())
  pauses <- replicateM 100 (pause 1000000)
  putStrLn ("jitter: " ++ show (minimum pauses < maximum pauses && minimum pauses >= 500000 && maximum pauses <= 1000000))
