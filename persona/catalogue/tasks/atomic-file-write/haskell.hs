-- snippet:doc https://hackage.haskell.org/package/directory/docs/System-Directory.html System.Directory
-- snippet:prints ("a=2",["settings"])
-- snippet:prints no such folder
import Control.Exception (bracketOnError, finally)
import qualified Data.ByteString as ByteString
import System.Directory (removeFile, renameFile)
import System.FilePath (takeDirectory, takeFileName)
import System.IO (hClose, openBinaryTempFile)
-- snippet:usage
import Control.Exception (try)
import qualified Data.ByteString.Char8 as Char8
import System.Directory (createDirectoryIfMissing, listDirectory)
import System.IO.Error (isDoesNotExistError)
-- snippet:end
-- | Replaces a file: readers see the old content or the new one, never half of
-- it. On an exception the temporary file is removed and the old one stays.
-- On POSIX, only its owner may read the new file.
writeAtomically :: FilePath -> ByteString.ByteString -> IO ()
writeAtomically path content =
  bracketOnError
    (openBinaryTempFile (takeDirectory path) ("." ++ takeFileName path))
    (\(temporary, handle) -> hClose handle `finally` removeFile temporary)
    ( \(temporary, handle) -> do
        ByteString.hPut handle content
        hClose handle
        renameFile temporary path
    )
-- snippet:usage
main :: IO ()
main = do
  createDirectoryIfMissing True "work"
  writeAtomically "work/settings" (Char8.pack "a=1")
  writeAtomically "work/settings" (Char8.pack "a=2")
  content <- ByteString.readFile "work/settings"
  files <- listDirectory "work"
  print (content, files)
  failed <- try (writeAtomically "no/such" ByteString.empty)
  putStrLn (either (\e -> if isDoesNotExistError e then "no such folder" else show e) show failed)
