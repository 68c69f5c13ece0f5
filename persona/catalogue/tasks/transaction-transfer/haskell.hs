-- snippet:description Move an amount between two accounts in memory with software transactional memory: other transactions see both
-- snippet:description changed, or neither. It waits until there is enough on the first one; a second function gives up instead.
-- snippet:doc https://hackage.haskell.org/package/stm/docs/Control-Concurrent-STM.html Control.Concurrent.STM
-- snippet:prints (True,False,(0,110))
-- snippet:prints user error (transfer: the amount must be positive)
import Control.Concurrent.STM
import Control.Monad (when)
-- snippet:check
import Control.Concurrent (forkIO, newEmptyMVar, putMVar, takeMVar)
import Control.Exception (IOException, try)
-- snippet:end
type Account = TVar Int -- cents

-- | Moves an amount; waits until there is enough. Other transactions see
-- both accounts changed, or neither.
transfer :: Int -> Account -> Account -> STM ()
transfer cents from to = do
  when (cents <= 0) $ throwSTM (userError "transfer: the amount must be positive")
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
  backwards <- try (atomically (tryTransfer (-30) a b)) :: IO (Either IOException Bool)
  either print print backwards
