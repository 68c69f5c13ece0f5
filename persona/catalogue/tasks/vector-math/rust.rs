// snippet:doc https://doc.rust-lang.org/std/primitive.f32.html#method.hypot f32::hypot
// snippet:prints 5 Vec2 { x: 3.0, y: 4.0 }
// snippet:prints None Some(1.0)
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vec2 {
    pub x: f32,
    pub y: f32,
}

impl Vec2 {
    /// `self + other * factor`: addition, subtraction and scaling in one.
    pub fn plus_scaled(self, other: Vec2, factor: f32) -> Vec2 {
        Vec2 {
            x: self.x + other.x * factor,
            y: self.y + other.y * factor,
        }
    }
    pub fn dot(self, other: Vec2) -> f32 {
        self.x * other.x + self.y * other.y
    }
    pub fn length(self) -> f32 {
        self.x.hypot(self.y) // no overflow on the way
    }
    /// `None` for a vector without a direction: zero or as good as zero, or of no finite length.
    pub fn normalized(self) -> Option<Vec2> {
        let length = self.length();
        (length > f32::EPSILON && length.is_finite()).then(|| Vec2 {
            x: self.x / length,
            y: self.y / length,
        })
    }
    /// Bounces off a surface with this unit normal.
    pub fn reflected(self, normal: Vec2) -> Vec2 {
        self.plus_scaled(normal, -2.0 * self.dot(normal))
    }
}
// snippet:check
fn main() {
    let v = Vec2 { x: 3.0, y: -4.0 };
    println!("{} {:?}", v.length(), v.reflected(Vec2 { x: 0.0, y: 1.0 }));
    println!(
        "{:?} {:?}",
        v.plus_scaled(v, -1.0).normalized(),
        v.normalized().map(|n| n.dot(n).sqrt())
    );
}
