// snippet:doc https://doc.rust-lang.org/std/primitive.slice.html#method.split_first_chunk slice::split_first_chunk
// snippet:needs Rust 1.80
// snippet:prints Ok((Frame { kind: 1, payload: [104, 105] }, [33]))
// snippet:prints Err(Incomplete) Err(NotAFrame)
#[derive(Debug, PartialEq)]
pub struct Frame<'a> {
    pub kind: u8,
    pub payload: &'a [u8], // borrowed: nothing is copied
}

#[derive(Debug, PartialEq)]
pub enum FrameError {
    Incomplete, // read more and try again
    NotAFrame,
}

/// Layout: magic "MX", kind (1 byte), length (2 bytes, big-endian), payload.
/// Returns the frame and the bytes after it.
pub fn parse(input: &[u8]) -> Result<(Frame<'_>, &[u8]), FrameError> {
    let (header, rest) = input
        .split_first_chunk::<5>()
        .ok_or(FrameError::Incomplete)?;
    let [b'M', b'X', kind, high, low] = *header else {
        return Err(FrameError::NotAFrame);
    };
    let length = usize::from(u16::from_be_bytes([high, low]));
    let (payload, rest) = rest
        .split_at_checked(length)
        .ok_or(FrameError::Incomplete)?;
    Ok((Frame { kind, payload }, rest))
}
// snippet:usage
fn main() {
    println!("{:?}", parse(b"MX\x01\x00\x02hi!"));
    println!("{:?} {:?}", parse(b"MX\x01\x00\x09hi"), parse(b"XXXXXX"));
}
