-- snippet:doc https://hackage.haskell.org/package/stm/docs/Control-Concurrent-STM.html Control.Concurrent.STM
-- snippet:prints (True,False,(0,110))
import Control.Concurrent.STM
-- snippet:check
import Control.Concurrent (forkIO, newEmptyMVar, putMVar, takeMVar)
-- snippet:end
type Account = TVar Int -- cents

-- | Moves an amount; waits until there is enough. Other threads see both
-- accounts changed, or neither: no locks, no deadlock.
transfer :: Int -> Account -> Account -> STM ()
transfer cents from to = do
  balance <- readTVar from
  check (balance >= cents) -- blocks, and runs again when the balance changes
  modifyTVar' from (subtract cents)
  modifyTVar' to (+ cents)

-- | The same without waiting: transactions compose with 'orElse'.
tryTransfer :: Int -> Account -> Account -> STM Bool
tryTransfer cents from to =
  (True <$ transfer cents from to) `orElse` pure False
-- snippet:check
main :: IO ()
main = do
  (a, b) <- (,) <$> newTVarIO 100 <*> newTVarIO 0
  ok <- atomically (tryTransfer 30 a b)
  refused <- atomically (tryTransfer 80 a b)
  done <- newEmptyMVar
  _ <- forkIO (atomically (transfer 80 a b) >> putMVar done ())
  atomically (modifyTVar' a (+ 10))
  takeMVar done
  balances <- (,) <$> readTVarIO a <*> readTVarIO b
  print (ok, refused, balances)
