// snippet:doc https://doc.rust-lang.org/std/ops/index.html std::ops
// snippet:prints 5 Vec2 { x: 3.0, y: 4.0 }
// snippet:prints None Some(1.0)
use std::ops::{Add, Mul, Sub};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vec2 {
    pub x: f32,
    pub y: f32,
}

impl Vec2 {
    pub fn dot(self, other: Vec2) -> f32 {
        self.x * other.x + self.y * other.y
    }
    pub fn length(self) -> f32 {
        self.x.hypot(self.y)
    }
    /// `None` for the zero vector, which has no direction.
    pub fn normalized(self) -> Option<Vec2> {
        let length = self.length();
        (length > f32::EPSILON).then(|| self * (1.0 / length))
    }
    /// Bounces off a surface with this unit normal.
    pub fn reflected(self, normal: Vec2) -> Vec2 {
        self - normal * (2.0 * self.dot(normal))
    }
}
// snippet:check
impl Add for Vec2 {
    type Output = Vec2;
    fn add(self, o: Vec2) -> Vec2 {
        Vec2 {
            x: self.x + o.x,
            y: self.y + o.y,
        }
    }
}

impl Sub for Vec2 {
    type Output = Vec2;
    fn sub(self, o: Vec2) -> Vec2 {
        Vec2 {
            x: self.x - o.x,
            y: self.y - o.y,
        }
    }
}

impl Mul<f32> for Vec2 {
    type Output = Vec2;
    fn mul(self, factor: f32) -> Vec2 {
        Vec2 {
            x: self.x * factor,
            y: self.y * factor,
        }
    }
}

fn main() {
    let v = Vec2 { x: 3.0, y: -4.0 };
    println!("{} {:?}", v.length(), v.reflected(Vec2 { x: 0.0, y: 1.0 }));
    println!(
        "{:?} {:?}",
        (v - v).normalized(),
        (v + v).normalized().map(|n| n.length())
    );
}
