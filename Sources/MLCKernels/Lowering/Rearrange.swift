import MLCCore

extension LoweringContext {
  /// Appends a kernel that copies `source[index(axes)]` to every position of output 0.
  mutating func rearrange(
    _ family: String,
    from source: TensorID,
    _ index: ([Index]) throws(Diagnostic) -> [Index]
  ) throws(Diagnostic) {
    try map(family, to: output()) { (params, axes) throws(Diagnostic) in
      params.load(source, try index(axes))
    }
  }

  /// Appends a kernel that copies `source` to the same positions of `target`, moved by `offset` along `axis`.
  mutating func copy(_ source: TensorID, to target: TensorID, axis: Int, offset: Dim, family: String) {
    var place = program[source].shape.indices.map { Index.axis($0) }
    place[axis] = place[axis] + .dim(offset)
    copy(source, to: target, at: place, family: family)
  }

  /// Appends a kernel that stores the elements of `source` in the front of `target`, which has the same rank.
  mutating func copy(_ source: TensorID, to target: TensorID, family: String) {
    copy(source, to: target, at: program[source].shape.indices.map { .axis($0) }, family: family)
  }

  private mutating func copy(_ source: TensorID, to target: TensorID, at place: [Index], family: String) {
    let shape = program[source].shape
    let axes = shape.indices.map { Axis($0, shape[$0]) }
    let index = shape.indices.map { Index.axis($0) }
    var params = KernelParams()
    let value = params.load(source, index)
    let store = LoopNest.Stage.store(param: params.write(target), index: place, axes: [], value: value)
    append(family, params, .loopNest(LoopNest(axes, [store])))
  }
}

extension KernelProgram {
  /// `tensor[place]` as an int64.
  func integer(_ tensor: TensorID, _ place: [Index], _ params: inout KernelParams) -> Scalar {
    if case .constant(let value) = self[tensor].kind, value.count == 1 {
      return .integer(value.integers[0], .int64)
    }
    let value = params.load(tensor, place)
    return self[tensor].dtype == .int64 ? value : .cast(value, .int64)
  }
}

extension Scalar {
  /// A size as an int64.
  static func size(_ dim: Dim) -> Scalar { .index(.dim(dim), .int64) }

  /// This int64 position counted from the end when negative.
  func wrapped(_ extent: Dim) -> Scalar {
    if case .integer(let number, _) = self { return number < 0 ? .size(extent + Dim(number)) : self }
    return .select(.compare(.less, self, .integer(0, .int64)), self + .size(extent), self)
  }
}
