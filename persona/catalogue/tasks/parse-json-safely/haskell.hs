-- snippet:doc https://hackage.haskell.org/package/aeson/docs/Data-Aeson.html Data.Aeson
-- snippet:prints Right (Order {orderId = "a1", quantity = 1, notes = []})
-- snippet:prints Error in $: key "id" not found
-- snippet:prints Error in $.quantity: parsing Int failed, expected Number, but encountered String
-- snippet:prints Error in $: quantity must be positive
{-# LANGUAGE OverloadedStrings #-}

import Data.Aeson (FromJSON (..), eitherDecodeStrict, withObject, (.!=), (.:), (.:?))
import Data.ByteString (ByteString)
import Data.Text (Text)

data Order = Order
  { orderId :: Text
  , quantity :: Int
  , notes :: [Text]
  }
  deriving (Eq, Show)

instance FromJSON Order where
  parseJSON = withObject "Order" $ \o -> do
    count <- o .:? "quantity" .!= 1
    if count < 1
      then fail "quantity must be positive"
      else Order <$> o .: "id" <*> pure count <*> o .:? "notes" .!= []

-- | The error names the field that is missing or wrong.
parseOrder :: ByteString -> Either String Order
parseOrder = eitherDecodeStrict
-- snippet:check
main :: IO ()
main = do
  print (parseOrder "{\"id\": \"a1\"}")
  mapM_ (either putStrLn print . parseOrder) ["{\"quantity\": 2}", "{\"id\": \"a\", \"quantity\": \"two\"}", "{\"id\": \"a\", \"quantity\": 0}"]
