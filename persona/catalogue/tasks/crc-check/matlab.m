% snippet:doc https://www.mathworks.com/help/matlab/ref/bitxor.html bitxor
data = uint16('123456789'); % single quotes: one number for each character

% CRC-16/CCITT-FALSE: polynomial 0x1021, start value 0xFFFF.
crc = uint16(65535);
for byte = data(:)' % as a row: a loop takes column by column
  crc = bitxor(crc, bitshift(byte, 8));
  for k = 1:8
    top = bitand(crc, 32768);
    crc = bitshift(crc, 1); % uint16 drops what leaves on the left
    if top
      crc = bitxor(crc, 4129); % 0x1021
    end
  end
end
fprintf("%04X\n", crc); % the catalogue value is 29B1
% snippet:prints 29B1
