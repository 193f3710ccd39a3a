import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Mod` → `mod`; `fmod` truncates.
package enum ONNXMod: ONNXElementwise {
  package static let types = ["Mod"]
  package static func op(_ node: ONNXNode) throws(Diagnostic) -> any Operator {
    var op = Mod()
    op.truncate = try node.flag("fmod")
    return op
  }
}
