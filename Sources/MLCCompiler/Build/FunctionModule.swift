import Foundation
import MLCCore
import MLCGraph
import MLCKernels
import MLCPackage

/// One function as code for one target, not built yet.
struct FunctionModule {
  let interface: FunctionInterface
  let segments: [SegmentModule]
  let remarks: [Diagnostic]
  private let values: [TensorType]

  /// `function` as `program`, which `targets` take; the processors' weights go to `weights`. Writes in `folder`, which
  /// is empty; the sources too in `keepSources`.
  init(
    _ function: Function,
    _ program: PlacedProgram,
    _ targets: [any Target],
    weights: inout WeightFile,
    in folder: String,
    keepSources: String?,
    budget: Budget
  ) throws(Diagnostic) {
    interface = FunctionInterface(function, program)
    let parts = program.partition.segments
    (values, remarks) = (program.partition.values, parts.flatMap { $0.program.remarks })
    var modules: [SegmentModule] = []
    for (index, segment) in parts.enumerated() {
      let (target, part) = (targets[segment.device], "\(folder)/\(index)")
      try FunctionModule.makeFolder(part)
      let module = try SegmentModule(segment, target, weights: &weights, in: part, budget: budget)
      if let keepSources {
        let name = parts.count == 1 ? "" : "/\(index)"
        try FunctionModule.keep(module.module.sources, in: "\(keepSources)/\(target.device.name)\(name)")
      }
      modules.append(module)
      try budget.checkTime()
    }
    segments = modules
  }

  /// Builds its segments; `weights` are the processors'. Each tool that is run may take what `limits` says when it is.
  func build(
    weights: WeightFile.Finished,
    limits: () -> ChildLimits,
    budget: Budget
  ) throws(Diagnostic) -> [SegmentModule.Built] {
    var built: [SegmentModule.Built] = []
    for segment in segments {
      built.append(try segment.build(of: interface, values: values, weights: weights, limits: limits()))
      try budget.checkTime()
    }
    return built
  }

  /// What a package gets of it once it is `built`.
  func code(_ built: [SegmentModule.Built]) -> PackageContents.Code {
    PackageContents.Code(interface.name, values: values, segments: built.map { $0.segment })
  }

  /// Makes the folder and those that it lies in. Throws `file.write`.
  static func makeFolder(_ folder: String) throws(Diagnostic) {
    do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
      throw Diagnostic("file.write", "cannot write in '\(folder)': \(error.localizedDescription)", kind: .environment)
    }
  }

  private static func keep(_ files: [SourceFile], in folder: String) throws(Diagnostic) {
    try FunctionModule.makeFolder(folder)
    for file in files { try AtomicFile.write(file.text, to: "\(folder)/\(file.name)") }
  }
}

extension FunctionInterface {
  fileprivate init(_ function: Function, _ program: PlacedProgram) {
    self.init(
      function.name,
      inputs: function.inputs.map { Port(function[$0].name, function.type($0)) },
      outputs: zip(function.outputNames, function.outputs).map { Port($0, function.type($1)) },
      symbols: program.symbols.map { Symbol($0, range: function.bounds[$0]) },
      enumerations: function.enumerations,
      lateSymbols: program.lateSymbols.map {
        LateSymbol($0.name, bound: $0.bound, limit: $0.isOpen ? program.sizeLimit : nil)
      },
      states: function.states.map { State($0.name, input: $0.input, output: $0.output) },
      parameters: function.parameters.map { Parameter($0.name, input: $0.input) },
      features: function.features
    )
  }
}
