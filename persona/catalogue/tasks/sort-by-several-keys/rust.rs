// snippet:doc https://doc.rust-lang.org/std/cmp/struct.Reverse.html std::cmp::Reverse
// snippet:prints ["Cy", "Di", "Ann", "Bo"]
// snippet:prints ["ada", "Ann", "bo"]
use std::cmp::Reverse;

#[derive(Debug)]
pub struct Player {
    pub name: String,
    pub score: u32,
    pub seconds: f64,
}

/// Best score first, then the shorter time, then the name. The sort is stable,
/// and `total_cmp` gives floating point numbers an order even with NaN.
pub fn rank(players: &mut [Player]) {
    players.sort_by(|a, b| {
        Reverse(a.score)
            .cmp(&Reverse(b.score))
            .then_with(|| a.seconds.total_cmp(&b.seconds))
            .then_with(|| a.name.cmp(&b.name))
    });
}

/// Keys that are costly to compute are computed once per element.
pub fn sort_ignoring_case(names: &mut [String]) {
    names.sort_by_cached_key(|name| name.to_lowercase());
}
// snippet:check
fn main() {
    let mut players: Vec<_> = [
        ("Bo", 10, 2.5),
        ("Ann", 10, 2.5),
        ("Cy", 12, 9.0),
        ("Di", 10, 1.0),
    ]
    .map(|(n, score, seconds)| Player {
        name: n.into(),
        score,
        seconds,
    })
    .into();
    rank(&mut players);
    println!(
        "{:?}",
        players.iter().map(|p| p.name.as_str()).collect::<Vec<_>>()
    );
    let mut names = ["bo", "Ann", "ada"].map(String::from);
    sort_ignoring_case(&mut names);
    println!("{names:?}");
}
