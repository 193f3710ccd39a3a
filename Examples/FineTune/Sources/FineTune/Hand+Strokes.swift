import Foundation

extension Hand {
  /// For each digit its strokes, in a box 1 high with y downwards.
  static let strokes: [[[Point]]] = [
    [arc([0.3, 0.5], [0.3, 0.5], 0, 2), [[0.6, 0.05], [0, 0.95]]],
    [[[0.05, 0.3], [0.35, 0], [0.35, 1]], [[0.05, 1], [0.65, 1]]],
    [arc([0.3, 0.28], [0.3, 0.28], -1, 0.2) + loop, [[0.2, 0.98], [0.65, 1]]],
    [[[0, 0], [0.6, 0], [0.25, 0.4]] + arc([0.25, 0.7], [0.35, 0.3], -0.5, 0.8)],
    [[[0.15, 0], [0, 0.6], [0.7, 0.6]], [[0.55, 0.25], [0.5, 1]]],
    [[[0.1, 0], [0.08, 0.42]] + arc([0.25, 0.68], [0.35, 0.32], -0.7, 0.8), [[0.1, 0], [0.7, 0.02]]],
    [[[0.6, 0], [0.2, 0.35]] + arc([0.3, 0.7], [0.28, 0.3], 1, 3)],
    [[[0, 0.12], [0.02, 0], [0.65, 0], [0.25, 1]], [[0.1, 0.5], [0.65, 0.5]]],
    [arc([0.3, 0.25], [0.2, 0.25], 0, 2), arc([0.3, 0.75], [0.3, 0.25], 0, 2)],
    [arc([0.3, 0.28], [0.28, 0.28], 0, 2), [[0.58, 0.28], [0.56, 0.8]] + arc([0.32, 0.8], [0.24, 0.2], 0, 0.8)],
  ]

  /// At the foot of the two.
  private static let loop: [Point] = [[0.1, 0.85]] + arc([0.1, 0.92], [0.1, 0.07], 0.7, 2.3)

  /// Part of an ellipse; angles are multiples of π, from the right downwards.
  private static func arc(_ middle: Point, _ radii: Point, _ first: Double, _ last: Double) -> [Point] {
    (0...16).map { step in
      let angle = Double.pi * (first + (last - first) * Double(step) / 16)
      return middle + radii * [cos(angle), sin(angle)]
    }
  }
}
