% snippet:doc https://www.mathworks.com/help/matlab/ref/fprintf.html fprintf
bytes = [uint8('GIF89a'), uint8([1 0 2 255]), uint8(' and then some')];

% Offset, bytes in hexadecimal and printable characters, sixteen to a row.
for at = 1:16:numel(bytes)
  row = bytes(at:min(at + 15, end));
  text = char(row);
  text(row < 32 | row > 126) = '.';
  fprintf("%08x  %-48s %s\n", at - 1, sprintf("%02x ", row), text);
end
% snippet:prints 00000000  47 49 46 38 39 61 01 00 02 ff 20 61 6e 64 20 74  GIF89a.... and t
% snippet:prints 00000010  68 65 6e 20 73 6f 6d 65                          hen some
