// snippet:doc https://developer.apple.com/documentation/swift/simd2 SIMD2
// snippet:prints 5.0
// snippet:prints true true [0.0, 0.0]
import Foundation

// The standard library's SIMD types already add, subtract and scale, several numbers at once.
extension SIMD2<Double> {
    func dot(_ other: Self) -> Double { (self * other).sum() }

    var length: Double { hypot(x, y) } // no overflow on the way

    /// The direction; the zero vector has none and stays zero instead of becoming NaN.
    var unit: Self { length == 0 ? .zero : self / length }

    func rotated(by radians: Double) -> Self {
        Self(x * cos(radians) - y * sin(radians), x * sin(radians) + y * cos(radians))
    }

    /// One step towards a goal, never beyond it.
    func moved(towards goal: Self, by step: Double) -> Self {
        let way = goal - self
        return way.length <= step ? goal : self + way.unit * step
    }
}

var ship = SIMD2(0.0, 0.0)
for _ in 0..<3 {
    ship = ship.moved(towards: SIMD2(3, 4), by: 2)
}
print(ship.length) // 5.0

// snippet:check
let turned = SIMD2(1.0, 0).rotated(by: .pi / 2)
print((turned - SIMD2(0, 1)).length < 1e-12, abs(SIMD2(3.0, -4).unit.length - 1) < 1e-12, [SIMD2<Double>.zero.unit.x, SIMD2<Double>.zero.unit.y])
