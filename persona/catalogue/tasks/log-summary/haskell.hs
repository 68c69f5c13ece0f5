-- snippet:doc https://hackage.haskell.org/package/text/docs/Data-Text.html Data.Text
-- snippet:prints ("2026-03-01T10",Hour {errors = 2, firstMessage = "disk full"})
-- snippet:prints ("2026-03-01T11",Hour {errors = 1, firstMessage = "timeout"})
{-# LANGUAGE OverloadedStrings #-}

import Data.Char (isDigit)
import qualified Data.Map.Strict as Map
import Data.Text (Text)
import qualified Data.Text as Text

data Hour = Hour {errors :: !Int, firstMessage :: Text}
  deriving (Show)

instance Semigroup Hour where
  Hour n first <> Hour m _ = Hour (n + m) first

-- | Errors per hour of lines like "2026-03-01T10:00:01Z ERROR disk full", with
-- the first message of each (in single spaces): often the cause of the rest.
errorsPerHour :: Text -> Map.Map Text Hour
errorsPerHour logText =
  Map.fromListWith
    (flip (<>))
    [ (Text.take 13 line, Hour 1 (Text.unwords message))
    | line <- Text.lines logText
    , _time : "ERROR" : message <- [Text.words line]
    , Text.map (\c -> if isDigit c then '0' else c) (Text.take 19 line) == "0000-00-00T00:00:00"
    ]
-- snippet:check
main :: IO ()
main = mapM_ print (Map.toList (errorsPerHour "2026-03-01T09:59:58Z INFO started\n2026-03-01T10:00:01Z ERROR disk full\n  at write\n2026-03-01T10:zz ERROR no time\nConnectionTimeoutError ERROR x\n2026-03-01T10:00:02Z ERROR write failed\n2026-03-01T11:10:00Z ERROR timeout\n"))
