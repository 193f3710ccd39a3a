import MLCCore
import MLCGraph
import MLCOps

/// ONNX `DictVectorizer`: the values of a map at the keys of a vocabulary, `[1, size]`; 0 or an empty text where the
/// map has none.
package enum ONNXDictVectorizer: ONNXMachineLearningMap {
  package static let types = ["DictVectorizer"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ONNXValue] {
    let (keys, values) = try context.map(0)
    let dtype = context.fact(keys).dtype
    let vocabulary: Tensor
    switch (try node.strings("string_vocabulary"), try node.ints("int64_vocabulary")) {
    case (let texts?, nil): vocabulary = Tensor([texts.count], strings: texts)
    case (nil, let numbers?): vocabulary = Tensor(.int64, [numbers.count], numbers)
    default: throw Diagnostic("onnx.vocabulary", "the operator has one vocabulary, of texts or of integers")
    }
    guard vocabulary.dtype == dtype, vocabulary.count > 0 else {
      let message = "the keys of the map are \(dtype.rawValue), the vocabulary has \(vocabulary.count) of "
      throw Diagnostic("onnx.vocabulary", message + vocabulary.dtype.rawValue)
    }
    let wanted = context.constant(vocabulary.reshaped([vocabulary.count, 1]), "vocabulary")
    let found = try context.entries(values, of: keys, at: wanted, count: vocabulary.count)
    return [.tensor(try context.emit(ExpandDims([0]), found))]
  }
}
