// snippet:doc https://doc.rust-lang.org/std/primitive.slice.html std::primitive.slice
/// Appends `value` in LEB128: seven bits a byte, the high bit means "more".
pub fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Reads one number and moves `input` past it. `None`, and `input` stays, if it is cut off,
/// has more than ten bytes or does not fit: data from outside must not wrap silently.
pub fn take_varint(input: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for (i, &byte) in input.iter().take(10).enumerate() {
        let shift = 7 * i;
        let bits = u64::from(byte & 0x7F);
        if bits << shift >> shift != bits {
            return None;
        }
        value |= bits << shift;
        if byte < 0x80 {
            *input = &input[i + 1..];
            return Some(value);
        }
    }
    None
}
// snippet:usage
// snippet:prints [01, ac, 02]
fn main() {
    let mut bytes = Vec::new();
    for n in [1, 300, u64::MAX] {
        put_varint(&mut bytes, n);
    }
    println!("{:02x?}", &bytes[..3]);
    // snippet:check
    // snippet:prints [Some(1), Some(300), Some(18446744073709551615), None]
    // snippet:prints None
    // snippet:prints None 1
    let mut input = bytes.as_slice();
    println!(
        "{:?}",
        (0..4).map(|_| take_varint(&mut input)).collect::<Vec<_>>()
    );
    println!("{:?}", take_varint(&mut &[0xff; 10][..]));
    let mut cut: &[u8] = &[0x80];
    println!("{:?} {}", take_varint(&mut cut), cut.len());
    // snippet:usage
}
