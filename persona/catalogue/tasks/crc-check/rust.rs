// snippet:doc https://doc.rust-lang.org/reference/const_eval.html Constant evaluation
// snippet:prints 29B1
// snippet:prints 0
// snippet:prints false
/// CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF. The table is built by
/// the compiler and lives in read-only memory.
static TABLE: [u16; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let mut crc = (i as u16) << 8;
        let mut bit = 0;
        while bit < 8 {
            crc = (crc << 1) ^ if crc & 0x8000 != 0 { 0x1021 } else { 0 };
            bit += 1;
        }
        table[i] = crc;
        i += 1;
    }
    table
};

pub fn crc16(data: &[u8]) -> u16 {
    data.iter().fold(0xFFFF, |crc, &byte| {
        (crc << 8) ^ TABLE[usize::from((crc >> 8) as u8 ^ byte)]
    })
}
// snippet:usage
fn main() {
    println!("{:04X}", crc16(b"123456789"));
    let mut frame = b"temperature=21".to_vec();
    frame.extend(crc16(&frame).to_be_bytes());
    println!("{}", crc16(&frame));
    frame[3] ^= 0x10;
    println!("{}", crc16(&frame) == 0);
}
