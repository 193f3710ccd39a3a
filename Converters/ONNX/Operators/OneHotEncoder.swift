import MLCCore
import MLCGraph
import MLCOps

/// ONNX `OneHotEncoder`: a row for each element, 1 at the place of its category, else 0, as floats. Numbers are compared
/// as integers. Without `zeros` each element has to be of a category.
package enum ONNXOneHotEncoder: ONNXMachineLearning {
  package static let types = ["OneHotEncoder"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    var x = try context.required(0)
    let (numbers, texts) = (try node.ints("cats_int64s") ?? [], try node.strings("cats_strings") ?? [])
    let isText = context.fact(x).dtype == .string
    let categories = isText ? Tensor([texts.count], strings: texts) : Tensor.shape(numbers)
    guard categories.count > 0, isText ? Set(texts.utf8Texts).count == texts.count : Set(numbers).count == numbers.count
    else {
      let given = "\(numbers.count) integers and \(texts.count) texts"
      throw Diagnostic("onnx.keys", "the categories are \(given), none for \(context.fact(x).type) or some twice")
    }
    if !isText { x = try context.cast(x, to: .int64) }
    let rank = context.fact(x).rank
    let column = try context.emit(ExpandDims([rank]), x)
    let same = try context.emit(Equal(), column, context.constant(categories, "categories"))
    let y = try context.cast(same, to: .float32)
    if try node.flag("zeros", default: true) { return [y] }
    let found = try context.emit(ReduceSum(axes: [rank]), try context.cast(same, to: .int32))
    let zero = context.constant(.scalar(.int32, 0), "zero")
    let missing = try context.cast(try context.emit(Equal(), found, zero), to: .int32)
    let count = rank == 0 ? missing : try context.emit(ReduceSum(), missing)
    return [try context.emit(Ensure(), y, try context.emit(Equal(), count, zero))]
  }
}
