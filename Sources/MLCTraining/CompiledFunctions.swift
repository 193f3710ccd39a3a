import MLCCompiler
import MLCCore
import MLCGraph
import MLCRuntime

/// Functions as code for this machine, in a package that goes with this object.
struct CompiledFunctions: Sendable {
  /// In the functions' order.
  let models: [Model]
  /// What the first takes for its temporaries; `nil` where the sizes of inputs decide.
  let arenaBytes: Int?
  /// The files that the code is mapped from.
  private let folder: Temporary

  /// Throws what compiling and loading throw.
  init(_ functions: [Function], _ compiler: Compiler, drivers: [any Driver]) throws(Diagnostic) {
    folder = try Temporary()
    let path = "\(folder.path)/training.mlmodelc"
    arenaBytes = try compiler.compile(Program(functions), to: path).targets.first?.arenaBytes
    var models: [Model] = []
    for function in functions {
      var options = Model.Options()
      options.function = function.name
      models.append(try Model.load(path: path, drivers: drivers, options: options))
    }
    self.models = models
  }
}
