-- snippet:description The states of an order, each with its own data, and every allowed step between them in one function. What is
-- snippet:description not allowed is answered with the reason: the state and the event, or that the basket is empty.
-- snippet:doc https://wiki.haskell.org/Algebraic_data_type Algebraic data types
-- snippet:prints Right (Shipped "t9")
-- snippet:prints Left "the basket is empty"
-- snippet:prints Left "Ship \"t9\" is not possible in Basket [\"book\"]"
{-# LANGUAGE LambdaCase #-}

import Control.Monad (foldM)

data Order
  = Basket [Item]
  | Paid [Item] Receipt
  | Shipped Tracking
  deriving (Eq, Show)

data Event = Pay Receipt | Ship Tracking
  deriving (Eq, Show)

type Item = String
type Receipt = String
type Tracking = String

-- | Every state has just its own data; what is not listed is refused.
step :: Event -> Order -> Either String Order
step event = \case
  Basket [] | Pay _ <- event -> Left "the basket is empty"
  Basket items | Pay receipt <- event -> Right (Paid items receipt)
  Paid _ _ | Ship tracking <- event -> Right (Shipped tracking)
  order -> Left (show event ++ " is not possible in " ++ show order)

-- | Replays a history; stops at the first event that is refused.
replay :: Order -> [Event] -> Either String Order
replay = foldM (flip step)
-- snippet:usage
main :: IO ()
main = do
  print (replay (Basket ["book"]) [Pay "r1", Ship "t9"])
  print (replay (Basket []) (repeat (Pay "r1")))
  print (replay (Basket ["book"]) [Ship "t9"])
