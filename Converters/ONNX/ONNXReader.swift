import MLCCore
package enum ONNXReader { package static func read(_ path: String) throws(Diagnostic) -> ONNXModel { fatalError() } }
