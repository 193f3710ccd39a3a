import MLCCore
import MLCGraph

extension Operator {
  /// The result types that `infer` gives for these values, in numbers: what was symbolic at compile time is checked
  /// here.
  ///
  /// Throws what `infer` throws, `graph.negative-extent`, and `graph.tensor-size` beyond `maximumTensorBytes`.
  func resultShapes(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [[Int]] {
    var shapes: [[Int]] = []
    for fact in try infer(inputs.map { Fact($0) }) {
      guard let shape = fact.type.staticShape else {
        throw Diagnostic(
          "graph.unknown-extent",
          "the result's shape \(fact.type) is not decided by its inputs",
          kind: .bug
        )
      }
      if let extent = shape.first(where: { $0 < 0 }) {
        throw Diagnostic("graph.negative-extent", "the result would be \(fact.type), with the extent \(extent)")
      }
      // Doubles stand in for the elements while they are computed.
      guard let count = shape.checkedProduct, let bytes = DType.float64.byteCount(count), bytes <= maximumTensorBytes
      else { throw Diagnostic("graph.tensor-size", "the result would be \(fact.type), larger than any tensor may be") }
      shapes.append(shape)
    }
    return shapes
  }

  func requireFloat(_ fact: Fact, _ name: String) throws(Diagnostic) {
    guard fact.dtype.isFloat else {
      throw Diagnostic(.init("\(Self.name).dtype"), "'\(name)' is \(fact.type); floating-point elements are needed")
    }
  }

  /// `fact`, when given, has the element type of `x`.
  func requireSameType(_ fact: Fact?, _ name: String, as x: Fact) throws(Diagnostic) {
    if let fact, fact.dtype != x.dtype {
      let message = "'\(name)' is \(fact.type), but the data is \(x.type)"
      throw Diagnostic(.init("\(Self.name).dtype"), message)
    }
  }

  /// `fact`, when given, is a vector of `count` elements; sizes that are not both known pass.
  func requireVector(_ fact: Fact?, _ name: String, _ count: Dim) throws(Diagnostic) {
    guard let fact else { return }
    guard fact.rank == 1, fits(fact.shape[0], count) else {
      throw Diagnostic(.init("\(Self.name).\(name)"), "'\(name)' is \(fact.type); expected \(count) elements")
    }
  }
}

/// Two extents that may be equal at run time.
func fits(_ a: Dim, _ b: Dim) -> Bool { a == b || a.constant == nil || b.constant == nil }
