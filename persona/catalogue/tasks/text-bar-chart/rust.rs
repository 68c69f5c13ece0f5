// snippet:doc https://doc.rust-lang.org/std/fmt/index.html std::fmt
// snippet:prints checkout │███████▉ 12
// snippet:prints search   │████████████████████ 30.5
// snippet:prints login    │ 0
/// Horizontal bars with eighth-of-a-character precision; labels are padded
/// by characters, the values stand behind. The longest bar is `width` characters.
pub fn bar_chart(rows: &[(&str, f64)], width: usize) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let longest = rows
        .iter()
        .map(|(label, _)| label.chars().count())
        .max()
        .unwrap_or(0);
    let highest = rows.iter().map(|&(_, value)| value).fold(0.0, f64::max);

    let mut chart = String::new();
    for &(label, value) in rows {
        let eighths = if highest > 0.0 {
            (value.max(0.0) / highest * (width * 8) as f64).round() as usize
        } else {
            0
        };
        let bar = "█".repeat(eighths / 8) + PARTS[eighths % 8];
        chart += &format!("{label:<longest$} │{bar} {value}\n");
    }
    chart
}
// snippet:usage
fn main() {
    print!(
        "{}",
        bar_chart(&[("checkout", 12.0), ("search", 30.5), ("login", 0.0)], 20)
    );
}
