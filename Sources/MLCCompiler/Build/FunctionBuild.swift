import Foundation
import MLCCore
import MLCGraph
import MLCKernels
import MLCPackage

/// One function compiled for one target.
struct FunctionBuild {
  struct Result {
    var code: PackageContents.Code
    var interface: FunctionInterface
    var segments: [SegmentBuild]
    var remarks: [Diagnostic]
  }

  private let function: Function
  private let program: PlacedProgram
  private let targets: [any Target]
  private let limits: ChildLimits
  private let folder: String
  private let budget: Budget

  /// Builds `program`, which is `function` as `targets` take it, in `folder`, which is empty. Each tool that is run may
  /// take `limits`.
  init(
    _ function: Function,
    _ program: PlacedProgram,
    _ targets: [any Target],
    _ limits: ChildLimits,
    _ folder: String,
    _ budget: Budget
  ) {
    (self.function, self.program, self.targets) = (function, program, targets)
    (self.limits, self.folder, self.budget) = (limits, folder, budget)
  }

  /// Makes the folder and those that it lies in. Throws `file.write`.
  static func makeFolder(_ folder: String) throws(Diagnostic) {
    do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
      throw Diagnostic("file.write", "cannot write in '\(folder)': \(error.localizedDescription)", kind: .environment)
    }
  }

  func run(_ keepSources: String?) throws(Diagnostic) -> Result {
    let interface = FunctionInterface(function, program)
    let values = program.partition.values
    var built: [SegmentBuild] = []
    for (index, segment) in program.partition.segments.enumerated() {
      let (target, part) = (targets[segment.device], "\(folder)/\(index)")
      try FunctionBuild.makeFolder(part)
      let build = try SegmentBuild(
        segment,
        of: interface,
        values: values,
        target,
        in: part,
        limits: limits,
        budget: budget
      )
      if let keepSources {
        let name = program.partition.segments.count == 1 ? "" : "/\(index)"
        try keep(build.module.sources, in: "\(keepSources)/\(target.device.name)\(name)")
      }
      built.append(build)
    }
    return Result(
      code: PackageContents.Code(function.name, values: values, segments: built.map { $0.segment }),
      interface: interface,
      segments: built,
      remarks: program.partition.segments.flatMap { $0.program.remarks }
    )
  }

  private func keep(_ files: [SourceFile], in folder: String) throws(Diagnostic) {
    try FunctionBuild.makeFolder(folder)
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
      states: function.states.map { State($0.name, input: $0.input, output: $0.output) }
    )
  }
}
