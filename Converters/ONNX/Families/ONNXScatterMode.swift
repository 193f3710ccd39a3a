import MLCCore
import MLCGraph
import MLCOps

extension ONNXNode {
  /// The attribute `reduction` of the scattering operators. Throws `onnx.scatter`.
  package func scatterMode() throws(Diagnostic) -> ScatterMode {
    switch try string("reduction", default: "none") {
    case "none": return .update
    case "add": return .add
    case "mul": return .mul
    case "max": return .max
    case "min": return .min
    case let other: throw Diagnostic("onnx.scatter", "there is no reduction '\(other)'")
    }
  }
}
