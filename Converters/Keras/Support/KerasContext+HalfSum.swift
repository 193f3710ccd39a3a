import MLCCore
import MLCGraph
import MLCOps

extension KerasContext {
  /// The sum of `tensor`, `[batch, axes…, C]`, over the axes between, which stay with an extent of 1, as Keras 2 has
  /// it: TensorFlow on a CPU rounds every partial sum of float16. Nil for other types and other versions of Keras, for
  /// open sizes, and for more than `maximumTerms` terms; there the sum is to be rounded once.
  ///
  /// Source of the order: trial against TensorFlow 2.21. In packets of 8 channels, if there are 16 terms, four sums of
  /// every fourth term are added up, then the terms left over; elsewhere one term after the other. Channels behind the
  /// last whole packet are taken like the others.
  mutating func halfSum(_ tensor: KerasTensor) throws(Diagnostic) -> ValueID? {
    let shape = shape(tensor)
    let extents = shape.dropFirst().compactMap(\.constant)
    guard isKeras2, fact(tensor.value).dtype == .float16, extents.count == shape.count - 1, let channels = extents.last,
      let count = extents.dropLast().checkedProduct, 2...Self.maximumTerms ~= count
    else { return nil }
    var terms = [try plain(tensor)]
    for (axis, extent) in extents.dropLast().enumerated() {
      var pieces: [ValueID] = []
      for term in terms { pieces += try emit(Split(axis: axis + 1, count: extent), all: [[term]]) }
      terms = pieces
    }
    let lanes = channels >= 8 && count >= 16 ? 4 : 1
    let whole = count - count % lanes
    var sums: [ValueID] = []
    for lane in 0..<lanes { sums.append(try added(stride(from: lane, to: whole, by: lanes).map { terms[$0] })) }
    return try added(sums + terms[whole...])
  }

  /// Beyond it the order of the sum is given up: a graph of as many additions is worth more than the last bits.
  static let maximumTerms = 64

  private mutating func added(_ terms: [ValueID]) throws(Diagnostic) -> ValueID {
    var sum = terms[0]
    for term in terms.dropFirst() { sum = try emit(Add(), sum, term) }
    return sum
  }
}
