import MLCCore

extension ONNXContext {
  /// Integers that were an attribute in older versions and are the constant input `index` in newer; `nil` when absent.
  package func integers(_ name: String, of node: ONNXNode, input index: Int) throws(Diagnostic) -> [Int]? {
    if let values = try node.ints(name) { return values }
    return try constant(index, name)?.integers
  }
}
