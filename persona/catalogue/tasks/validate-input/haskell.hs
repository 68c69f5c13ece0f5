-- snippet:doc https://hackage.haskell.org/package/base/docs/Control-Applicative.html Applicative functors
-- snippet:prints Left ["name: must not be blank","age: must be one to three digits"]
-- snippet:prints Right ("Ada",36)
import Data.Char (isDigit, isSpace)

-- | Like 'Either', but collects the problems of all fields.
newtype Validated a = Validated (Either [String] a)

instance Functor Validated where
  fmap f (Validated result) = Validated (fmap f result)

instance Applicative Validated where
  pure = Validated . Right
  Validated (Left a) <*> Validated (Left b) = Validated (Left (a ++ b))
  Validated f <*> Validated x = Validated (f <*> x)

data SignUp = SignUp {name :: String, age :: Int} deriving (Show)

check :: String -> (a -> Bool) -> (a -> b) -> a -> Validated b
check message ok convert value
  | ok value = pure (convert value)
  | otherwise = Validated (Left [message])

signUp :: String -> String -> Either [String] SignUp
signUp nameText ageText = result
  where
    Validated result = SignUp
      <$> check "name: must not be blank" (not . all isSpace) id nameText
      <*> check "age: must be one to three digits" (\t -> length t `elem` [1 .. 3] && all isDigit t) read ageText
-- snippet:check
main :: IO ()
main = do
  print (signUp " " "x")
  print (fmap (\s -> (name s, age s)) (signUp "Ada" "36"))
