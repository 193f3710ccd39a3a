import MLCCore
import MLCGraph

extension OperationBuilder {
  /// `x` under `shape`.
  ///
  /// An extent that is no number is computed from what is left where that is enough, else read at run time from `x` or
  /// from another of `sources` that has it, or as a product of neighbouring extents of `x`. Throws `reshape.shape`
  /// where none has it, `reshape.count`.
  package mutating func reshape(
    _ x: ValueID,
    _ shape: [Dim],
    sources: [ValueID] = []
  ) throws(Diagnostic) -> ValueID {
    let given = fact(x).shape
    if given == shape { return x }
    let known = shape.compactMap(\.constant)
    if known.count == shape.count { return try append(Reshape(allowZero: true), [[x], [list(known)]]) }
    let numbers = shape.indices.map { axis in
      shape[axis].constant ?? (given.indices.contains(axis) && given[axis] == shape[axis] ? 0 : -1)
    }
    let isEmpty = (given + shape).contains { $0.constant == 0 }
    if !isEmpty, numbers.count(where: { $0 == -1 }) <= 1 { return try append(Reshape(), [[x], [list(numbers)]]) }
    if given.filter({ $0 != 1 }) == shape.filter({ $0 != 1 }) {
      let (gone, added) = (given.indices.filter { given[$0] == 1 }, shape.indices.filter { shape[$0] == 1 })
      let bare = gone.isEmpty ? x : try append(Squeeze(gone), [[x]])
      return added.isEmpty ? bare : try append(ExpandDims(added), [[bare]])
    }
    var extents: [ValueID] = []
    for axis in shape.indices { extents.append(try extent(axis, of: shape, for: x, sources)) }
    return try append(Reshape(allowZero: true), [[x], [try append(Concat(axis: 0), [extents])]])
  }

  /// `shape[axis]` as a list of one number.
  private mutating func extent(
    _ axis: Int,
    of shape: [Dim],
    for x: ValueID,
    _ sources: [ValueID]
  ) throws(Diagnostic) -> ValueID {
    if let number = shape[axis].constant { return list([number]) }
    for source in [x] + sources {
      if let place = fact(source).shape.firstIndex(of: shape[axis]) { return try extents(of: source, at: [place]) }
    }
    let factors = factors(of: axis, shape, fact(x).shape)
    guard factors.map({ fact(x).shape[$0] }).reduce(1, *) == shape[axis] else {
      throw Diagnostic(
        "reshape.shape",
        "\(fact(x).type) cannot get an extent of \(shape[axis]) before its open sizes are known",
        kind: .unsupported
      )
    }
    return try append(ReduceProd(axes: [0], keepDims: true), [[try extents(of: x, at: factors)]])
  }

  /// The extents of `x` along `axes`, of the type of lists, read at run time.
  package mutating func extents(of x: ValueID, at axes: [Int]) throws(Diagnostic) -> ValueID {
    let places = list(axes)
    return try append(Gather(axis: 0), [[try append(Shape(dtype: fact(places).dtype), [[x]])], [places]])
  }

  /// The axes of `given` that `shape[axis]` is the product of, both being in one order.
  private func factors(of axis: Int, _ shape: [Dim], _ given: [Dim]) -> [Int] {
    var place = 0
    for index in 0...axis {
      let start = place
      var product: Dim = 1
      if shape[index] == 1, place == given.count || given[place] != 1 { continue }
      while place < given.count, place == start || product != shape[index] {
        product = product * given[place]
        place += 1
      }
      if index == axis { return Array(start..<place) }
    }
    return []
  }
}
