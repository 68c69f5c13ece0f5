% snippet:doc https://www.mathworks.com/help/matlab/matlab_external/bringing-java-classes-and-methods-into-matlab-workspace.html Java classes in MATLAB
% snippet:description Compute the SHA-256 of a data file with the Java that MATLAB runs, and compare it with the
% snippet:description one written down with the results. The whole file is read into memory.
% snippet:check
1;
fid = fopen("a.csv", "w"); fprintf(fid, "hello"); fclose(fid);
% snippet:end
function same = is_unchanged(path, expected)
  % Whether a data file still has the SHA-256 that was written down with the results.
  same = strcmpi(sha256_of(path), expected);
end

function hex = sha256_of(path)
  % MATLAB has no hash of its own; the Java that it runs has.
  fid = fopen(path, "r");
  if fid < 0
    error("cannot read %s", path);
  end
  bytes = fread(fid, Inf, "*uint8");
  fclose(fid);
  digest = javaMethod("getInstance", "java.security.MessageDigest", "SHA-256");
  if ~isempty(bytes) % Java would get no array at all
    digest.update(bytes);
  end
  hex = sprintf("%02x", typecast(digest.digest(), "uint8"));
end
% snippet:check
fid = fopen("empty.csv", "w"); fclose(fid);
disp(sha256_of("empty.csv")(1:8))
disp(sha256_of("a.csv"))
disp([is_unchanged("a.csv", sha256_of("a.csv")), is_unchanged("a.csv", repmat("0", 1, 64))])
% snippet:prints e3b0c442
% snippet:prints 2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824
% snippet:prints   1  0
