-- snippet:doc https://hackage.haskell.org/package/base/docs/System-Console-GetOpt.html System.Console.GetOpt
-- snippet:prints Right (Options {top = 3, verbose = True},["a.txt"])
-- snippet:prints --top wants a number from 1 to 1000, not x
-- snippet:prints --top wants a number from 1 to 1000, not 18446744073709551617
-- snippet:prints unrecognized option `--quiet'
-- snippet:prints which file?
import System.Console.GetOpt
import Text.Read (readEither)

data Options = Options {top :: Int, verbose :: Bool}
  deriving (Show)

options :: [OptDescr (Options -> Either String Options)]
options =
  [ Option ['v'] ["verbose"] (NoArg (\o -> Right o {verbose = True})) "say more"
  , Option ['n'] ["top"] (ReqArg setTop "N") "how many words (default 10)"
  ]
  where
    setTop text o = case readEither text of -- an Int would wrap round
      Right n | n >= 1, n <= (1000 :: Integer) -> Right o {top = fromInteger n}
      _ -> Left ("--top wants a number from 1 to 1000, not " ++ text ++ "\n")

-- | Options and files, or what is wrong, followed by the usage text. The names of options may be cut short: --verb.
parse :: [String] -> Either String (Options, [FilePath])
parse args = case getOpt Permute options args of
  (_, [], []) -> Left (usage "which file?\n")
  (changes, files, []) -> case foldl (>>=) (Right (Options 10 False)) changes of
    Left problem -> Left (usage problem)
    Right chosen -> Right (chosen, files)
  (_, _, problems) -> Left (usage (concat problems))
  where
    usage problem = usageInfo (problem ++ "usage: words [OPTION...] FILE...") options
-- snippet:check
main :: IO ()
main = do
  print (parse ["-v", "--top=3", "a.txt"])
  mapM_ (either (putStrLn . head . lines) print . parse) [["-n", "x", "a"], ["-n", "18446744073709551617", "a"], ["--quiet", "a"], []]
