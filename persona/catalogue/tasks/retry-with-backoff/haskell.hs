-- snippet:doc https://hackage.haskell.org/package/base/docs/Control-Exception.html Control.Exception
-- snippet:prints done after 3
-- snippet:prints Left user error (down)
import Control.Concurrent (threadDelay)
import Control.Exception (IOException, throwIO, try)
-- snippet:check
import Data.IORef (modifyIORef', newIORef, readIORef)
-- snippet:end
-- | Runs an action again after an 'IOException', at most the given number of
-- times, waiting twice as long each time. Other exceptions pass through.
retry :: Int -> Int -> IO a -> IO a
retry attempts delayMicros action = do
  result <- try action
  case result of
    Right value -> pure value
    Left failure
      | attempts <= 1 -> throwIO (failure :: IOException)
      | otherwise -> do
          threadDelay delayMicros
          retry (attempts - 1) (delayMicros * 2) action
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
