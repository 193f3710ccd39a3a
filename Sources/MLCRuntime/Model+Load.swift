import MLCCore
import MLCPackage

extension Model {
  /// Loads one function for the most capable device of the package that one of `drivers` can run. Code, weights and
  /// plan are compared with their digests, and what the code was made for with what the package says.
  ///
  /// A package is native code: load only what you would run. Throws `package.…` for a package that is damaged,
  /// contradicts itself or is another than `options` expect, `runtime.no-target` when nothing in it fits, and what the
  /// driver's `load` throws.
  package static func load(
    path: String,
    drivers: [any Driver],
    options: Options = Options()
  ) throws(Diagnostic) -> Model {
    let package = try PackageReader(path: path, memory: options.verifiesDigests ? nil : options.memory)
    if let digest = options.expectedDigest { try package.require(digest: digest) }
    return try locating(.init(file: path)) { () throws(Diagnostic) in
      let name = options.function ?? package.manifest.functions[0]
      guard let index = package.manifest.functions.firstIndex(of: name) else {
        throw Diagnostic(
          "runtime.unknown-function",
          "there is no function '\(name)', only \(package.manifest.functions.joined(separator: ", "))",
          kind: .usage
        )
      }
      let interface = package.functions[index]
      for port in interface.inputs + interface.outputs where port.type.dtype == .string {
        throw Diagnostic("runtime.string-tensor", "'\(port.name)' is a tensor of strings", kind: .unsupported)
      }
      let (selection, target, driver) = try Selection.choose(
        from: package.manifest.targets,
        drivers: drivers,
        wanted: options.device
      )
      let code = target.code[index]
      let used = [code.kernels, code.weights, code.plan]
      if options.verifiesDigests { try package.verifyDigests(except: Set(used.map { $0.path })) }
      _ = try package.open(code.plan)
      let artifact = Artifact(
        kernels: try package.open(code.kernels),
        kernelsDigest: code.kernels.digest,
        weights: try package.open(code.weights).mapped,
        identity: CodeIdentity(interface, target.device, weights: code.weights.digest, plan: code.plan.digest),
        sizeCount: interface.symbols.count + interface.lateSymbols.count
      )
      return try Model(package.manifest, interface, selection, try driver.load(artifact), options)
    }
  }
}
