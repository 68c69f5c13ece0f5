# snippet:doc https://perldoc.perl.org/functions/unpack unpack
use v5.36;

# Offset, bytes in hexadecimal and printable characters, sixteen to a row.
sub hex_dump ($bytes) {
    my $out = '';
    for (my $at = 0; $at < length $bytes; $at += 16) {
        my $row = substr $bytes, $at, 16;
        my $hex = join ' ', unpack '(H2)*', $row;
        $out .= sprintf "%08x  %-47s  %s\n", $at, $hex, $row =~ tr/\x20-\x7e/./cr;
    }
    return $out;
}

print hex_dump("GIF89a\x01\x00\x02\xff and then some");
# snippet:prints 00000000  47 49 46 38 39 61 01 00 02 ff 20 61 6e 64 20 74  GIF89a.... and t
# snippet:prints 00000010  68 65 6e 20 73 6f 6d 65                          hen some
