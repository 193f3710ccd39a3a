import MLCCore
import MLCGraph
import MLCOps

/// An operator of `ai.onnx.ml` that takes a map.
package protocol ONNXMachineLearningMap: ONNXValueOperator {}

extension ONNXMachineLearningMap {
  package static var domain: String { "ai.onnx.ml" }
  package static var sinceOpset: Int { 1 }
}

extension ONNXContext {
  /// Input `index`, a map. Throws `onnx.missing-input`, `onnx.sequence`.
  func map(_ index: Int) throws(Diagnostic) -> (keys: ValueID, values: ValueID) {
    let value = try value(index)
    guard case .map(let keys, let values) = value else {
      throw Diagnostic("onnx.sequence", "input \(index) is \(value.kind), not a map", at: origin)
    }
    return (keys, values)
  }

  /// The values of a map at the keys `wanted`, `K[count, 1]`; 0 or an empty text where it has none.
  mutating func entries(
    _ values: ValueID,
    of keys: ValueID,
    at wanted: ValueID,
    count: Int
  ) throws(Diagnostic) -> ValueID {
    let dtype = fact(values).dtype
    let isFound = try cast(try emit(Equal(), wanted, keys), to: .int32)
    // The first place stands for what is not there: it is the greatest only where no other is.
    let nowhere = constant(Tensor(.int32, [count, 1], [Int](repeating: 0, count: count)), "nowhere")
    let place = try emit(ReduceArgmax(axis: 1), try concat([nowhere, isFound], axis: 1))
    let blank = dtype == .string ? Tensor([1], strings: [""]) : Tensor(dtype, [1], [0])
    return try emit(Gather(axis: 0), try concat([constant(blank, "blank"), values], axis: 0), place)
  }
}
