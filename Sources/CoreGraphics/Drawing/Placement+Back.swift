import Foundation

extension Placement {
  /// Where a rectangle of the target, in its pixels with rows counted downwards, lies in the part that was asked for:
  /// in fractions of it, upright, rows counted upwards. What lies on bars of black is outside of 0 to 1.
  package func original(_ rect: CGRect) -> CGRect {
    func back(_ x: CGFloat, _ y: CGFloat) -> CGPoint {
      let column = drawn.minX + (x - CGFloat(left)) / CGFloat(width) * drawn.width
      let row = drawn.minY + (y - CGFloat(top)) / CGFloat(height) * drawn.height
      let (across, down) = ((column - part.minX) / part.width, (row - part.minY) / part.height)
      return isTurned ? CGPoint(x: 1 - down, y: 1 - across) : CGPoint(x: across, y: 1 - down)
    }
    let (a, b) = (back(rect.minX, rect.minY), back(rect.maxX, rect.maxY))
    return CGRect(x: min(a.x, b.x), y: min(a.y, b.y), width: abs(a.x - b.x), height: abs(a.y - b.y))
  }
}
