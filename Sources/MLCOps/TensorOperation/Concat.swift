import MLCCore
import MLCGraph

/// The tensors one after the other along `axis`: `values: T[*Sᵢ]…` → `y: T[*S]`, S[axis] = Σ Sᵢ[axis].
///
/// Throws `concat.axis`, `concat.dtype` when types differ, `concat.shape` when ranks or other extents do,
/// `concat.empty` for no tensors.
/// Source: MIL `concat`, ONNX `Concat`.
package struct Concat: Operator {
  package var axis = 0

  package static let schema = Schema<Concat>("concat", [.variadic("values", rank: 1...64), .attribute("axis", \.axis)])
  package init() {}
  package init(axis: Int) { self.axis = axis }

  package func infer(_ inputs: Operands<Fact>) throws(Diagnostic) -> [Fact] {
    let values = inputs[all: "values"]
    guard let first = values.first else { throw Diagnostic("concat.empty", "there is nothing to concatenate") }
    let axis = try normalized(axis: axis, rank: first.rank, "concat")
    var shape = first.shape
    for value in values.dropFirst() {
      try checkSameDType(first, value, "concat")
      guard value.rank == first.rank else { throw mismatch(first.type, value.type, axis) }
      for k in shape.indices where k != axis && shape[k] != value.shape[k] {
        if shape[k].constant != nil, value.shape[k].constant != nil { throw mismatch(first.type, value.type, axis) }
        if shape[k].constant == nil { shape[k] = value.shape[k] }
      }
      shape[axis] = shape[axis] + value.shape[axis]
    }
    let parts = values.compactMap { $0.elements }
    let joined = first.rank == 1 && parts.count == values.count ? parts.flatMap { $0 } : nil
    let type = TensorType(first.dtype, shape)
    if joined != nil || first.rank != 1 { return [.known(type, joined)] }
    let numbers = values.compactMap { $0.numbers }
    return [Fact(type, ratios: numbers.count == values.count ? numbers.flatMap { $0 } : nil)]
  }

  package func evaluate(_ inputs: Operands<Tensor>) throws(Diagnostic) -> [Tensor] {
    let values = inputs[all: "values"]
    let axis = try normalized(axis: axis, rank: values[0].rank, "concat")
    var shape = values[0].shape
    shape[axis] = 0
    for value in values {
      for k in shape.indices where k != axis && shape[k] != value.shape[k] {
        throw mismatch(values[0].type, value.type, axis)
      }
      shape[axis] += value.shape[axis]
    }
    try checkSize(values[0].dtype, shape, "concat")
    return [Tensor.flat(values).picking(order(values, axis, shape.reduce(1, *)), shape)]
  }

  /// For each element of the result, where it is among all elements of all inputs.
  private func order(_ values: [Tensor], _ axis: Int, _ count: Int) -> [Int] {
    var indices: [Int] = []
    indices.reserveCapacity(count)
    let parts = values.map { (count: $0.count, length: $0.shape[axis...].reduce(1, *)) }
    for outer in 0..<values[0].shape[..<axis].reduce(1, *) {
      var start = 0
      for part in parts {
        indices.append(contentsOf: start + outer * part.length..<start + (outer + 1) * part.length)
        start += part.count
      }
    }
    return indices
  }

  private func mismatch(_ a: TensorType, _ b: TensorType, _ axis: Int) -> Diagnostic {
    Diagnostic("concat.shape", "\(a) and \(b) differ beside axis \(axis)")
  }
}
