import MLCCore
import MLCGraph
import MLCOps

/// `√(Σ x²)` of each window: the mean of the squares, padding counted, times the elements of a window.
func importL2Pool(_ node: MILNode, _ context: inout MILContext) throws(Diagnostic) -> [ValueID] {
  let x = try context.value(node, "x")
  let sizes = try node.required("kernel_sizes").integers
  guard try !node.flag("ceil_mode"), let count = sizes.checkedProduct, count > 0 else {
    throw Diagnostic("coreml.parameter", "l2_pool of windows \(sizes) with 'ceil_mode'", kind: .unsupported)
  }
  var squares = node
  squares.type = AvgPool.name
  squares.arguments["x"] = [.value(try context.apply(Mul(), x, x))]
  let mean = try MILGenericImport.convert(squares, in: &context)[0]
  return [try context.apply(Sqrt(), try context.scaled(mean, by: Double(count)))]
}
