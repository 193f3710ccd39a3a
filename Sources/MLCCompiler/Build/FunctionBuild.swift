import Foundation
import MLCCore
import MLCGraph
import MLCKernels
import MLCPackage
import MLCTargetC

/// One function compiled for one device.
struct FunctionBuild {
  struct Result {
    var code: PackageContents.Code
    var interface: FunctionInterface
    var module: CModule
    var codeBytes: Int
    var remarks: [Diagnostic]
  }

  private let function: Function
  private let device: DeviceDescription
  private let clang: CCompiler
  private let folder: String
  private let budget: Budget

  /// Works in `folder`, which is empty.
  init(_ function: Function, device: DeviceDescription, clang: CCompiler, folder: String, budget: Budget) {
    (self.function, self.device, self.clang, self.folder, self.budget) = (function, device, clang, folder, budget)
  }

  /// Makes the folder and those that it lies in. Throws `file.write`.
  static func makeFolder(_ folder: String) throws(Diagnostic) {
    do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
      throw Diagnostic("file.write", "cannot write in '\(folder)': \(error.localizedDescription)", kind: .environment)
    }
  }

  func run(_ keepSources: String?) throws(Diagnostic) -> Result {
    let target = try CTarget(device)
    var program = try KernelProgram.optimized(function, for: target, budget: budget)
    try program.resolveCompressed(for: target)
    var weights = try WeightFile(path: "\(folder)/weights.bin")
    var builder = CModuleBuilder(program, target: target, budget: budget)
    var module = try builder.build(weights: &weights, files: max(2, ProcessInfo.processInfo.activeProcessorCount))
    try weights.finish()
    let (interface, plan) = (FunctionInterface(function, program), KernelPlan(steps: module.steps.map { $0.planned }))
    let identity = CodeIdentity(interface, device.manifest, weights: weights.digest, plan: plan.digest)
    module.seal(identity: identity.bytes)
    if let keepSources { try keep(module.files, in: "\(keepSources)/\(device.name)") }
    let library = try clang.build(module.files, for: device, in: folder)
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

  private func keep(_ files: [CModule.File], in folder: String) throws(Diagnostic) {
    try FunctionBuild.makeFolder(folder)
    for file in files { try AtomicFile.write(file.text, to: "\(folder)/\(file.name)") }
  }
}

extension DeviceDescription {
  /// What a package says of the device.
  var manifest: Manifest.Device { Manifest.Device(name: name, family: family, isa: isa, requires: requires) }
}

extension KernelProgram {
  /// `function` as kernels that `target` takes, fused, laid out and verified: at the end, or after `each` step.
  package static func optimized(
    _ function: Function,
    for target: any Target,
    verifyingEach each: Bool = verifiesEachStep,
    budget: Budget = Budget()
  ) throws(Diagnostic) -> KernelProgram {
    var program = try KernelProgram.lowering(function, budget: budget)
    try program.optimize(for: target, verifyingEach: each)
    try budget.checkTime()
    return program
  }
}

extension CModule.Step {
  fileprivate var planned: KernelPlan.Step {
    KernelPlan.Step(
      symbol,
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
