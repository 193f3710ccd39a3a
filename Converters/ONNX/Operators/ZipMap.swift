import MLCCore
import MLCGraph
import MLCOps

/// ONNX `ZipMap`, a map from classes to scores for each row: programs give the matrix of scores, with a column for each
/// class in the order of the labels, which a note tells.
package enum ONNXZipMap: ONNXMachineLearning {
  package static let types = ["ZipMap"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let scores = try context.required(0)
    let labels = try node.ints("classlabels_int64s")?.map { "\($0)" } ?? []
    let strings = try node.strings("classlabels_strings")?.map { "'\($0)'" } ?? []
    let names = labels + strings
    guard !names.isEmpty, context.fact(scores).shape.last.map({ $0.constant ?? names.count }) == names.count else {
      throw Diagnostic("onnx.class-labels", "\(names.count) labels for the columns of \(context.fact(scores).type)")
    }
    let list = names.prefix(16).joined(separator: ", ") + (names.count > 16 ? ", …" : "")
    context.notes.append("\(node.location): scores are given as a matrix whose columns are the classes \(list)")
    return [try context.emit(Identity(), scores)]
  }
}
