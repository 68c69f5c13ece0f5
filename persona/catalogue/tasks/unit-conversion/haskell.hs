-- snippet:doc https://downloads.haskell.org/ghc/latest/docs/users_guide/exts/data_kinds.html Datatype promotion
-- snippet:prints Quantity 4.048
-- snippet:prints (True,True)
{-# LANGUAGE DataKinds #-}
{-# LANGUAGE KindSignatures #-}

data Unit = Metre | Foot | Second

-- | A number with a unit in its type only: at run time just a Double. It is no
-- 'Num' on purpose: metres times metres are not metres.
newtype Quantity (u :: Unit) = Quantity Double
  deriving (Eq, Ord, Show)

metres :: Double -> Quantity 'Metre
metres = Quantity

feet :: Double -> Quantity 'Foot
feet = Quantity

seconds :: Double -> Quantity 'Second
seconds = Quantity

-- | Adds what has the same unit; metres and feet do not mix by mistake.
plus :: Quantity u -> Quantity u -> Quantity u
plus (Quantity a) (Quantity b) = Quantity (a + b)

toMetres :: Quantity 'Foot -> Quantity 'Metre
toMetres (Quantity f) = Quantity (f * 0.3048) -- exact by definition

-- | Metres per second.
speed :: Quantity 'Metre -> Quantity 'Second -> Double
speed (Quantity d) (Quantity t) = d / t
-- snippet:usage
main :: IO ()
main = do
  print (metres 1 `plus` toMetres (feet 10))
  print (speed (metres 100) (seconds 9.58) > 10, metres 3 < toMetres (feet 10))
