% snippet:doc https://docs.octave.org/latest/Cryptographic-Functions.html hash
% snippet:check
1;
fid = fopen("a.csv", "w"); fputs(fid, "hello"); fclose(fid);
% snippet:end
function same = is_unchanged(path, expected)
  % Whether a data file still has the SHA-256 that was written down with the results.
  fid = fopen(path, "rb");
  if fid < 0
    error("cannot read %s", path);
  end
  bytes = fread(fid, Inf, "uint8=>char")';
  fclose(fid);
  same = strcmpi(hash("sha256", bytes), expected);
end
% snippet:check
disp(hash("sha256", "hello"))
disp([is_unchanged("a.csv", hash("sha256", "hello")), is_unchanged("a.csv", hash("sha256", "hallo"))])
% snippet:prints 2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824
% snippet:prints   1  0
