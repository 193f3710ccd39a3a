import Foundation

/// Something to draw: strokes in a square from −1 to 1, y downwards.
enum Sketch: String, CaseIterable, Sendable {
  case arrow, boat, cup, fish, flower, heart, house, key, star, tree

  typealias Point = SIMD2<Double>
  typealias Stroke = [Point]

  var strokes: [Stroke] {
    switch self {
    case .arrow: [[[-1, 0], [1, 0]], [[0.45, -0.5], [1, 0], [0.45, 0.5]]]
    case .boat:
      [
        Self.closed([[-1, 0.4], [1, 0.4], [0.6, 0.9], [-0.6, 0.9]]), [[0, 0.4], [0, -1], [0.8, 0.15], [0, 0.15]],
      ]
    case .cup:
      [
        Self.closed([[-0.7, -0.8], [-0.5, 0.8], [0.4, 0.8], [0.6, -0.8]]),
        Self.arc([0.5, -0.1], [0.45, 0.4], -0.5, 0.5),
      ]
    case .fish:
      [
        Self.ring([-0.25, 0], 0.7, 0.45), Self.closed([[0.4, 0], [1, -0.5], [1, 0.5]]),
        Self.ring([-0.6, -0.1], 0.07, 0.07),
      ]
    case .flower: Self.petals + [Self.ring([0, -0.4], 0.2, 0.2), [[0, 0.2], [0, 1]]]
    case .heart: [Self.curvedHeart]
    case .house:
      [
        [[-0.8, -0.1], [-0.8, 1], [0.8, 1], [0.8, -0.1]], Self.closed([[-1, -0.1], [0, -1], [1, -0.1]]),
        [[-0.2, 1], [-0.2, 0.4], [0.2, 0.4], [0.2, 1]],
      ]
    case .key: [Self.ring([-0.6, 0], 0.4, 0.4), [[-0.2, 0], [1, 0], [1, 0.35]], [[0.65, 0], [0.65, 0.35]]]
    case .star: [Self.pentagram]
    case .tree:
      [Self.closed([[-0.7, 0.5], [0, -1], [0.7, 0.5]]), [[-0.15, 0.5], [-0.15, 1], [0.15, 1], [0.15, 0.5]]]
    }
  }

  private static func closed(_ corners: Stroke) -> Stroke { corners + corners.prefix(1) }

  private static func ring(_ middle: Point, _ across: Double, _ down: Double) -> Stroke {
    arc(middle, [across, down], 0, 2)
  }

  /// Part of an ellipse; angles are multiples of π, from the right downwards.
  private static func arc(_ middle: Point, _ radii: Point, _ first: Double, _ last: Double) -> Stroke {
    (0...20).map { step in
      let angle = Double.pi * (first + (last - first) * Double(step) / 20)
      return middle + radii * [cos(angle), sin(angle)]
    }
  }

  private static let petals = (0..<5).map { petal in
    let angle = 2 * Double.pi * Double(petal) / 5
    return ring([0.42 * sin(angle), -0.4 - 0.42 * cos(angle)], 0.22, 0.22)
  }

  private static let curvedHeart: Stroke = (0...40).map { step in
    let t = 2 * Double.pi * Double(step) / 40
    return [pow(sin(t), 3), -(13 * cos(t) - 5 * cos(2 * t) - 2 * cos(3 * t) - cos(4 * t)) / 16]
  }

  /// Five corners, each joined with the next but one.
  private static let pentagram: Stroke = (0...5).map { step in
    let angle = 4 * Double.pi * Double(step) / 5
    return [sin(angle), -cos(angle)]
  }
}
