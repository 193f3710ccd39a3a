import MLCCore
import MLCGraph

/// An operator that moves square blocks between the channels and the plane of `x: T[N, C, H, W]`, any T.
///
/// It is a reshape to `split`, a transposition by `perm` and a reshape that merges axes again.
/// Throws `<operator>.block` for a block below 1 and `<operator>.shape` when extents do not divide.
package protocol BlockRearrangement: Operator {
  var block: Int { get }
  /// The plane grows and channels go, or the other way round.
  static var grows: Bool { get }
  /// `x` as six axes, given the shapes of `x` and of the result.
  func split(_ x: [Int], _ y: [Int]) -> [Int]
  /// The order of those axes in the result.
  static var perm: [Int] { get }
}

extension BlockRearrangement {
  /// `[N, C′, H′, W′]`
  private func result(_ x: [Dim]) throws(Diagnostic) -> [Dim] {
    guard block >= 1, block <= Int(Int16.max) else {
      throw Diagnostic(.init("\(Self.name).block"), "the block size is \(block)")
    }
    let (b, area) = (Dim(block), Dim(block * block))
    let parts = Self.grows ? [(x[1], area)] : [(x[2], b), (x[3], b)]
    for (extent, divisor) in parts {
      if let n = extent.constant, let d = divisor.constant, n % d != 0 {
        throw Diagnostic(.init("\(Self.name).shape"), "an extent of \(n) does not divide by \(d)")
      }
    }
    return Self.grows
      ? [x[0], x[1].floorDiv(area), x[2] * b, x[3] * b] : [x[0], x[1] * area, x[2].floorDiv(b), x[3].floorDiv(b)]
  }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    [Fact(inputs["x"].dtype, try result(inputs["x"].shape))]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    let y = try resultShapes(inputs)[0]
    return [x.picking(IndexMap.transposing(split(x.shape, y), Self.perm), y)]
  }
}
