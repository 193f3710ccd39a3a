import Foundation
import MLCCompiler
import MLCCore
import MLCDriverCPU
import MLCGraph
import MLCRuntime
import MLCTargetC

/// A program compiled for levels of this CPU, in a package that is gone with this object.
package final class CompiledPackage {
  package let path: String

  package init(_ program: Program, for devices: [String]) throws(Diagnostic) {
    path = FileManager.default.temporaryDirectory.appending(path: "mlc-test-\(UUID()).mlmodelc").path()
    var options = CompileOptions()
    options.targets = devices
    _ = try Compiler(options, targets: [CTarget.self]).compile(program, to: path)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The main function, or the one called so, on the level `device`, with two threads.
  package func model(on device: String, function: String? = nil) throws(Diagnostic) -> Model {
    var options = Model.Options()
    (options.device, options.function) = (device, function)
    return try Model.load(path: path, drivers: [try CPUDriver(threads: 2)], options: options)
  }
}
