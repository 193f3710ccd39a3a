/// An operator of onnxruntime's own domain, which its quantiser and its optimiser leave in files.
package protocol ONNXMicrosoftOperator: ONNXOperator {}

extension ONNXMicrosoftOperator {
  package static var domain: String { "com.microsoft" }
  package static var sinceOpset: Int { 1 }
}
