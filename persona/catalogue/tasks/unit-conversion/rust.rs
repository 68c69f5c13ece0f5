// snippet:doc https://doc.rust-lang.org/std/ops/index.html std::ops
// snippet:prints 4.048 true
use std::iter::Sum;
use std::ops::Add;

/// A length in metres. Feet cannot be added by mistake: they must be converted.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Metres(pub f64);

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feet(pub f64);

impl From<Feet> for Metres {
    fn from(Feet(feet): Feet) -> Self {
        Metres(feet * 0.3048) // exact by definition
    }
}

impl Add for Metres {
    type Output = Metres;
    fn add(self, other: Metres) -> Metres {
        Metres(self.0 + other.0)
    }
}

impl Sum for Metres {
    fn sum<I: Iterator<Item = Metres>>(lengths: I) -> Metres {
        lengths.fold(Metres::default(), Add::add)
    }
}
// snippet:usage
impl std::ops::Mul<f64> for Metres {
    type Output = Metres;
    fn mul(self, factor: f64) -> Metres {
        Metres(self.0 * factor)
    }
}

fn main() {
    let total: Metres = [Metres(1.0), Feet(10.0).into()].into_iter().sum();
    println!("{:.3} {}", total.0, total * 2.0 > Metres(8.0));
}
