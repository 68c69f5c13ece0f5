-- snippet:doc https://hackage.haskell.org/package/base/docs/Data-List.html Data.List
-- snippet:prints [1009,1013,1019,1021,1031]
-- snippet:prints [6,3,10,5,16,8,4,2,1]
import Data.List (unfoldr)

-- | All primes, by trial division with the primes themselves: endless, and
-- computed only as far as somebody looks.
primes :: [Integer]
primes = 2 : filter isPrime [3, 5 ..]

isPrime :: Integer -> Bool
isPrime n = n > 1 && all (\p -> n `mod` p /= 0) (takeWhile (\p -> p * p <= n) primes)

-- | Steps of the Collatz sequence from a positive number down to 1.
collatz :: Integer -> [Integer]
collatz = unfoldr next
  where
    next 0 = Nothing
    next 1 = Just (1, 0)
    next n = Just (n, if even n then n `div` 2 else 3 * n + 1)
-- snippet:usage
main :: IO ()
main = do
  print (take 5 (dropWhile (< 1000) primes))
  print (collatz 6)
