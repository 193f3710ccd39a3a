import MLCCore
import MLCPackage

extension Model {
  /// What the package at `path` makes of each operation of its source model, for the target that `load` would choose,
  /// or the one that `options` name, whether or not this machine runs it. Nothing is loaded.
  ///
  /// Throws as `load` does.
  package static func plan(
    path: String,
    drivers: [any Driver],
    options: Options = Options()
  ) throws(Diagnostic) -> ModelPlan {
    let package = try open(path, options)
    return try locating(.init(file: path)) { () throws(Diagnostic) in
      if options.verifiesDigests { try package.verifyDigests() }
      let function = try function(options.function, of: package)
      if let named = package.manifest.targets.first(where: { $0.name == options.device }) {
        return try ModelPlan(package, named, function)
      }
      let chosen = try Selection.choose(from: package.manifest.targets, drivers: drivers, wanted: options.device)
      return try ModelPlan(package, chosen.target, function)
    }
  }

  /// The function called `name`, or the default one. Throws `runtime.unknown-function`.
  static func function(_ name: String?, of package: PackageReader) throws(Diagnostic) -> FunctionInterface {
    let name = name ?? package.manifest.functions[0]
    guard let function = package.functions.first(where: { $0.name == name }) else {
      throw Diagnostic(
        "runtime.unknown-function",
        "there is no function '\(name)', only \(package.manifest.callableFunctions.joined(separator: ", "))",
        kind: .usage
      )
    }
    return function
  }
}
