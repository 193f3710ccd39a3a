import MLCCore
import MLCGraph
import MLCOps

/// ONNX `CastMap`: the values of a map of integers as one row, fp32, int64 or texts: in the order of their keys, `[1,
/// n]`; or, `SPARSE`, each at its key, `[1, max_map]`, with 0 or an empty text between them.
package enum ONNXCastMap: ONNXMachineLearningMap {
  package static let types = ["CastMap"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ONNXValue] {
    let (keys, values) = try context.map(0)
    let types: [String: DType] = ["TO_FLOAT": .float32, "TO_INT64": .int64, "TO_STRING": .string]
    guard let dtype = types[try node.string("cast_to") ?? "TO_FLOAT"], context.fact(keys).dtype == .int64 else {
      throw Diagnostic("onnx.cast-map", "the map has keys of int64 and is cast TO_FLOAT, TO_INT64 or TO_STRING")
    }
    let row: ValueID
    switch try node.string("map_form") ?? "DENSE" {
    case "DENSE":
      var sorting = TopK()
      (sorting.axis, sorting.ascending, sorting.indicesDType) = (0, true, .int64)
      let order = try context.emit(sorting, all: [[keys], [try context.emit(Shape(), keys)]])[1]
      row = try context.emit(Gather(axis: 0), values, order)
    case "SPARSE":
      let size = try node.int("max_map") ?? 1
      guard size > 0, size <= 1 << 20 else { throw Diagnostic("onnx.cast-map", "the row has \(size) places") }
      let places = context.constant(Tensor(.int64, [size, 1], Array(0..<size)), "places")
      row = try context.entries(values, of: keys, at: places, count: size)
    case let form: throw Diagnostic("onnx.cast-map", "'\(form)' is neither DENSE nor SPARSE")
    }
    return [.tensor(try context.emit(Cast(dtype), try context.emit(ExpandDims([0]), row)))]
  }
}
