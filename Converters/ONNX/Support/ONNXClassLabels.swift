import MLCCore
import MLCGraph
import MLCOps

/// The labels of a classifier's classes: integers or strings.
struct ONNXClassLabels {
  private let integers: [Int], strings: [String]

  var count: Int { max(integers.count, strings.count) }

  /// Throws `onnx.class-labels` unless there are two and more, of one kind.
  init(_ node: ONNXNode, integers name: String) throws(Diagnostic) {
    (integers, strings) = (try node.ints(name) ?? [], try node.strings("classlabels_strings") ?? [])
    guard integers.isEmpty != strings.isEmpty, count >= 2 else {
      let given = "\(integers.count) integers and \(strings.count) strings"
      throw Diagnostic("onnx.class-labels", "the labels of classes are \(given); mlc reads two or more of one kind")
    }
  }

  /// The label of the greatest score of each row, the first one's among equals.
  func greatest(of scores: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    try chosen(by: try context.emit(ReduceArgmax(axis: 1, outputDType: .int64), scores), in: &context)
  }

  /// The labels of classes given by number.
  func chosen(by numbers: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    if integers.isEmpty {
      let labels = context.constant(Tensor([count], strings: strings), "labels")
      return try context.emit(Gather(axis: 0), labels, numbers)
    }
    if integers == Array(0..<count) { return numbers }
    return try context.emit(Gather(axis: 0), context.constant(ints: integers, "labels"), numbers)
  }
}
