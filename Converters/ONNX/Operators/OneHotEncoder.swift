import MLCCore
import MLCGraph
import MLCOps

/// ONNX `OneHotEncoder`: for each element 1 in the column of its category, 0 in the others, on a new last axis; fp32.
/// Numbers are compared as int64, rounded toward zero. Without `zeros` every element must be of a category.
package enum ONNXOneHotEncoder: ONNXMachineLearning {
  package static let types = ["OneHotEncoder"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let given = try context.required(0)
    let (numbers, texts) = (try node.ints("cats_int64s") ?? [], try node.strings("cats_strings") ?? [])
    let isText = context.fact(given).dtype == .string
    guard numbers.isEmpty != texts.isEmpty, isText != texts.isEmpty, Set(numbers).count == numbers.count,
      Set(texts.utf8Texts).count == texts.count
    else {
      let categories = "\(numbers.count) integers and \(texts.count) strings"
      throw Diagnostic("onnx.categories", "\(categories) are no categories of \(context.fact(given).type)")
    }
    let x = isText ? given : try context.cast(given, to: .int64)
    let categories = isText ? Tensor([texts.count], strings: texts) : Tensor.shape(numbers)
    let column = try context.emit(ExpandDims([-1]), x)
    let isOf = try context.emit(Equal(), column, context.constant(categories, "categories"))
    let y = try context.cast(isOf, to: .float32)
    if try node.flag("zeros", default: true) { return [y] }
    let axes = Array(0..<context.fact(y).rank)
    let found = try context.emit(ReduceSum(axes: axes), try context.cast(isOf, to: .int64))
    let count = try context.emit(ReduceProd(axes: [0]), try context.emit(Shape(dtype: .int64), given))
    return [try context.emit(Ensure(), y, try context.emit(Equal(), found, count))]
  }
}
