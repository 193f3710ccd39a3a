import MLCCore
import MLCGraph
import MLCOps

/// Where the windows of a convolution or a pool lie: the element k of window i on element `i·stride + k·dilation − low`
/// of the data, along each spatial axis. The data is the long side, the windows are the short one.
struct WindowPlaces: Sendable {
  let kernel: [Int], strides: [Int], dilations: [Int], low: [Int]
  /// How far the last window reaches beyond the data; negative where the data is longer.
  let rest: [Int]
  /// The windows along each axis.
  let short: [Dim]

  static let obstacle = "open sizes decide where its windows lie; bind them"

  /// `nil` where open sizes decide.
  init?(_ window: SpatialWindow, long: [Dim], short: [Dim]) {
    let kernel = window.kernel.compactMap { $0.constant }
    var (low, rest): ([Int], [Int]) = ([], [])
    for axis in window.kernel.indices {
      let before = window.padding(axis, input: long[axis]).low
      let end = (short[axis] - 1) * Dim(window.strides[axis]) + window.dilated(axis) - before - long[axis]
      guard let before = before.constant, let end = end.constant else { return nil }
      low.append(before)
      rest.append(end)
    }
    guard kernel.count == window.kernel.count else { return nil }
    (self.kernel, self.low, self.rest, self.short) = (kernel, low, rest, short)
    (strides, dilations) = (window.strides, window.dilations)
  }

  var padding: [Int] { low.indices.flatMap { [low[$0], max(0, rest[$0])] } }
}

extension OperationBuilder {
  /// The short side from the long one: each element the sum of `x` under its window, times `weight`: `x: T[N, C, *L]`,
  /// `weight: T[M, C/groups, *K]` → `T[N, M, *S]`.
  mutating func read(_ x: ValueID, by weight: ValueID, _ places: WindowPlaces, groups: Int) throws(Diagnostic)
    -> ValueID
  {
    var op = Conv()
    (op.strides, op.dilations, op.pad, op.groups) = (places.strides, places.dilations, places.padding, groups)
    return try cut(try apply(op, x, weight), places.short)
  }

  /// The long side from the short one: each element of `x` times `weight` added under its window: `x: T[N, M, *S]`,
  /// `weight: T[M, C/groups, *K]` → `T[N, C, *L]`.
  mutating func scattered(_ x: ValueID, by weight: ValueID, _ places: WindowPlaces, groups: Int) throws(Diagnostic)
    -> ValueID
  {
    var op = ConvTranspose()
    (op.strides, op.dilations, op.pad, op.groups) = (places.strides, places.dilations, places.padding, groups)
    op.outputPadding = places.rest.map { max(0, -$0) }
    return try apply(op, x, weight)
  }

  /// The weight from both sides: each element the sum of products of what it lies on: `long: T[N, C, *L]`, `short: T[N,
  /// M, *S]` → `T[M, C/groups, *K]`.
  ///
  /// A convolution whose images are the channels of a group, whose channels are the images, and whose windows are the
  /// short side.
  mutating func correlated(_ long: ValueID, with short: ValueID, _ places: WindowPlaces, groups: Int)
    throws(Diagnostic) -> ValueID
  {
    let spatial = Array(2..<fact(long).rank)
    let exchange = Transpose([1, 0] + spatial)
    var data = long
    if groups == 1 {
      data = try apply(exchange, data)
    } else {
      let shape = fact(long).shape
      let parted = [shape[0], Dim(groups), shape[1].floorDiv(Dim(groups))] + shape[2...]
      data = try apply(Transpose([2, 1, 0] + spatial.map { $0 + 1 }), try reshape(data, parted))
      data = try reshape(data, [parted[2], shape[0] * Dim(groups)] + shape[2...], sources: [long])
    }
    var op = Conv()
    (op.strides, op.dilations, op.pad, op.groups) = (places.dilations, places.strides, places.padding, groups)
    let sums = try apply(op, data, try apply(exchange, short))
    return try apply(exchange, try cut(sums, places.kernel.map { Dim($0) }))
  }

  /// The first `extents` of the spatial axes of `x: T[N, C, *D]`.
  private mutating func cut(_ x: ValueID, _ extents: [Dim]) throws(Diagnostic) -> ValueID {
    var result = x
    for (axis, extent) in extents.enumerated() where fact(x).shape[axis + 2] != extent {
      if let end = extent.constant { result = try slice(result, axis: axis + 2, from: 0, to: end) }
    }
    return result
  }
}
