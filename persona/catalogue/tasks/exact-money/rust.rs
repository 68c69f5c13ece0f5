// snippet:doc https://doc.rust-lang.org/std/primitive.i64.html std::primitive.i64
// snippet:prints ["3.34", "3.33", "3.33"] -0.05
// snippet:prints None
use std::fmt;

/// An exact amount in cents. Additions that overflow are `None`, not a surprise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Money(i64);

impl Money {
    pub const fn cents(cents: i64) -> Self {
        Money(cents)
    }
    pub fn checked_add(self, other: Money) -> Option<Money> {
        self.0.checked_add(other.0).map(Money)
    }
    /// Splits into parts, at least one, that differ by at most a cent and add up to the whole.
    pub fn split(self, parts: u16) -> impl Iterator<Item = Money> {
        let n = i64::from(parts.max(1));
        let (each, rest) = (self.0.div_euclid(n), self.0.rem_euclid(n));
        (0..n).map(move |i| Money(each + i64::from(i < rest)))
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let cents = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:02}", cents / 100, cents % 100)
    }
}
// snippet:usage
fn main() {
    let parts: Vec<_> = Money::cents(1000).split(3).map(|m| m.to_string()).collect();
    println!("{parts:?} {}", Money::cents(-5));
    println!("{:?}", Money::cents(i64::MAX).checked_add(Money::cents(1)));
}
