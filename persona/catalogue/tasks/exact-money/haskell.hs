-- snippet:doc https://hackage.haskell.org/package/base/docs/Text-Printf.html Text.Printf
-- snippet:prints ([3.34,3.33,3.33],-0.05,0.05)
import Text.Printf (printf)

-- | An amount in cents; 'Integer', so it neither rounds nor overflows.
newtype Money = Money Integer
  deriving (Eq, Ord)

instance Show Money where
  show (Money cents) = printf "%s%d.%02d" sign whole part
    where
      sign = if cents < 0 then "-" else "" :: String
      (whole, part) = abs cents `divMod` 100

instance Semigroup Money where
  Money a <> Money b = Money (a + b)

instance Monoid Money where
  mempty = Money 0

-- | Parts that differ by a cent at most. Law, for @n > 0@: @mconcat (split n m) == m@.
split :: Integer -> Money -> [Money]
split parts (Money cents) =
  [Money (each + (if i < rest then 1 else 0)) | i <- [0 .. parts - 1]]
  where
    (each, rest) = cents `divMod` parts
-- snippet:usage
main :: IO ()
main = print (split 3 (Money 1000), mconcat (split 7 (Money (-5))), Money 5)
