import MLCCore
import MLCGraph
import MLCOps

/// The function with these inputs (`%x: fp32[2], …`) and operations, in the text form.
func function(_ inputs: String, _ operations: String) throws(Diagnostic) -> Function {
  let text = "program {\nfunc @main(\(inputs)) -> () {\n\(operations)\n}\n}"
  return try ProgramText(text: text, blobs: []).program(named: OperatorSet.named).main
}

extension Rejection {
  /// Inference refuses the operations.
  static func inferring(_ id: String, _ inputs: String, _ operations: String) -> Rejection {
    Rejection(id) { _ = try function(inputs, operations) }
  }

  /// Inference takes them, the reference refuses these values.
  static func running(_ id: String, _ inputs: String, _ operations: String, _ values: [Tensor]) -> Rejection {
    Rejection(id) {
      let made: Function
      do throws(Diagnostic) { made = try function(inputs, operations) } catch {
        throw Diagnostic("test.inference", "refused before it runs: \(error)")
      }
      _ = try Interpreter(made).run(values)
    }
  }
}
