import Foundation
import MLCCore
import MLCGraph
import MLCKernels
import MLCPackage

/// One function compiled for one device.
struct FunctionBuild {
  struct Result {
    var code: PackageContents.Code
    var interface: FunctionInterface
    var module: any TargetModule
    var codeBytes: Int
    var remarks: [Diagnostic]
  }

  private let function: Function
  private let program: KernelProgram
  private let target: any Target
  private let limits: ChildLimits
  private let folder: String
  private let budget: Budget

  /// Builds `program`, which is `function` as `target` takes it, in `folder`, which is empty. Each tool that is run may
  /// take `limits`.
  init(
    _ function: Function,
    _ program: KernelProgram,
    _ target: any Target,
    _ limits: ChildLimits,
    _ folder: String,
    _ budget: Budget
  ) {
    (self.function, self.program, self.target) = (function, program, target)
    (self.limits, self.folder, self.budget) = (limits, folder, budget)
  }

  /// Makes the folder and those that it lies in. Throws `file.write`.
  static func makeFolder(_ folder: String) throws(Diagnostic) {
    do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
      throw Diagnostic("file.write", "cannot write in '\(folder)': \(error.localizedDescription)", kind: .environment)
    }
  }

  func run(_ keepSources: String?) throws(Diagnostic) -> Result {
    var weights = try WeightFile(path: "\(folder)/weights.bin")
    let module = try target.module(for: program, plan: MemoryPlan(program), weights: &weights, budget: budget)
    try weights.finish()
    let (interface, plan) = (FunctionInterface(function, program), KernelPlan(steps: module.steps.map { $0.planned }))
    let device = target.device
    let identity = CodeIdentity(interface, device.manifest, weights: weights.digest, plan: plan.digest)
    if let keepSources { try keep(module.sources, in: "\(keepSources)/\(device.name)") }
    let library = try module.build(identity: identity.bytes, in: folder, limits: limits)
    try budget.checkTime()
    let size = (try? FileManager.default.attributesOfItem(atPath: library)[.size] as? Int) ?? 0
    let code = PackageContents.Code(
      function.name,
      kernels: .file(library),
      weights: .file(weights.path),
      plan: plan
    )
    return Result(
      code: code,
      interface: interface,
      module: module,
      codeBytes: size,
      remarks: program.remarks
    )
  }

  private func keep(_ files: [SourceFile], in folder: String) throws(Diagnostic) {
    try FunctionBuild.makeFolder(folder)
    for file in files { try AtomicFile.write(file.text, to: "\(folder)/\(file.name)") }
  }
}

extension DeviceDescription {
  /// What a package says of the device.
  var manifest: Manifest.Device { Manifest.Device(name: name, family: family, isa: isa, requires: requires) }
}

extension ModuleStep {
  fileprivate var planned: KernelPlan.Step {
    KernelPlan.Step(
      kernel,
      origins: origins.compactMap { origin in
        origin.node.map { KernelPlan.Origin(node: $0, op: origin.op ?? "") }
      },
      operations: operations,
      bytes: bytes
    )
  }
}

extension FunctionInterface {
  fileprivate init(_ function: Function, _ program: KernelProgram) {
    self.init(
      function.name,
      inputs: function.inputs.map { Port(function[$0].name, function.type($0)) },
      outputs: zip(function.outputNames, function.outputs).map { Port($0, function.type($1)) },
      symbols: program.symbols.map { Symbol($0, range: function.bounds[$0]) },
      enumerations: function.enumerations,
      lateSymbols: program.lateSymbols.map { LateSymbol($0.name, bound: $0.bound) },
      states: function.states.map { State($0.name, input: $0.input, output: $0.output) }
    )
  }
}
