import MLCCore
import MLCGraph

/// The position along one axis of the element that beats all others.
package protocol ArgReduction: Operator {
  var axis: Int { get set }
  var keepDims: Bool { get set }
  var outputDType: DType { get set }
  var selectLastIndex: Bool { get set }
  /// Whether `candidate` displaces `best`; equal elements do not beat each other.
  func beats(_ candidate: Double, _ best: Double) -> Bool
  func beats(_ candidate: Int, _ best: Int, _ dtype: DType) -> Bool
}

extension ArgReduction {
  package init(axis: Int, keepDims: Bool = false, outputDType: DType = .int32, selectLastIndex: Bool = false) {
    self.init()
    (self.axis, self.keepDims, self.outputDType, self.selectLastIndex) = (axis, keepDims, outputDType, selectLastIndex)
  }

  package static func clauses() -> [SchemaClause<Self>] {
    [
      .input("x", rank: 1...64), .attribute("axis", \Self.axis), .attribute("keep_dims", \Self.keepDims),
      .attribute("output_dtype", \Self.outputDType), .attribute("select_last_index", \Self.selectLastIndex),
    ]
  }

  private func reduced<T: ExpressibleByIntegerLiteral>(_ shape: [T], _ axis: Int) -> [T] {
    shape.indices.compactMap { $0 == axis ? (keepDims ? 1 : nil) : shape[$0] }
  }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let x = inputs["x"]
    guard x.dtype.isFloat || x.dtype.isInteger else { throw Diagnostic.dtype(Self.name, x.dtype) }
    guard outputDType.isInteger else { throw Diagnostic.dtype(Self.name, outputDType, "output_dtype") }
    let axis = try normalized(axis: axis, rank: x.rank, Self.name)
    let shape = reduced(x.shape, axis)
    if x.shape[axis] == 0, shape.allSatisfy({ $0.constant ?? 0 > 0 }) { throw empty(x.type, axis) }
    return [Fact(outputDType, shape)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let x = inputs["x"]
    let axis = try normalized(axis: axis, rank: x.rank, Self.name)
    let shape = reduced(x.shape, axis)
    guard x.shape[axis] > 0 || shape.contains(0) else { throw empty(x.type, axis) }
    let positions =
      x.dtype.isFloat
      ? winners(x.doubles, x.shape, axis, beats) : winners(x.integers, x.shape, axis) { beats($0, $1, x.dtype) }
    return [Tensor(outputDType, shape, positions)]
  }

  private func empty(_ type: TensorType, _ axis: Int) -> Diagnostic {
    Diagnostic(.init("\(Self.name).empty"), "axis \(axis) of \(type) has no elements")
  }

  private func winners<T>(_ x: [T], _ shape: [Int], _ axis: Int, _ beats: (T, T) -> Bool) -> [Int] {
    let inner = shape[(axis + 1)...].reduce(1, *)
    let outer = shape[..<axis].reduce(1, *)
    var result: [Int] = []
    for row in 0..<outer {
      for column in 0..<inner {
        let start = row * shape[axis] * inner + column
        var best = 0
        for index in 1..<max(1, shape[axis]) {
          let (candidate, current) = (x[start + index * inner], x[start + best * inner])
          if selectLastIndex ? !beats(current, candidate) : beats(candidate, current) { best = index }
        }
        result.append(best)
      }
    }
    return result
  }
}
