import CoreMLProto
import Foundation
import MLCCore
import MLCGraph
import SwiftProtobuf

/// One program on its way into a package.
struct PackageWriter {
  private let program: Program
  private let target: CoreMLWriteOptions.DeploymentTarget
  private let isStrict: Bool
  private var description = CoreML_Specification_ModelDescription()
  private var mil = MILProgram()
  private var note: ProgramNote

  /// Throws `coreml.target`.
  init(_ program: Program, _ options: CoreMLWriteOptions) throws(Diagnostic) {
    let needed = CompressionTarget(program)
    target = options.minimumDeploymentTarget ?? needed.target
    try needed.check(target)
    (self.program, isStrict) = (program, options.isStrict)
    note = ProgramNote(metadata: program.metadata)
    mil.version = 1
  }

  /// Throws `coreml.refused` for what Apple's loader would refuse, where the options are strict; nothing is
  /// written then.
  consuming func write(to path: String) throws(Diagnostic) -> CoreMLReport {
    let folder = try PackageFolder(path)
    var emitter = ProgramEmitter(
      target: target,
      blobs: BlobWriter("\(folder.weights)/weight.bin"),
      report: CoreMLReport()
    )
    for function in program.functions { try add(function, &emitter) }
    try emitter.blobs.finish()
    var report = emitter.report
    report.weightBytes = emitter.blobs.size
    report.deploymentTarget = target
    note.digest = ProgramNote.digest(mil)
    addMetadata()
    describeFunctions(&report)
    if isStrict, let refusal = report.refusal { throw refusal }
    let model = MLModelSpec.with {
      $0.specificationVersion = target.specificationVersion
      $0.description_p = description
      $0.mlProgram = mil
    }
    let weights = emitter.blobs.size > 0 ? emitter.blobs.digest.uuid : nil
    try folder.finish(model: try Self.serialized(model), weights: weights)
    return report
  }

  private mutating func add(_ function: Function, _ emitter: inout ProgramEmitter) throws(Diagnostic) {
    var legalizer = Legalizer(function, target: target, report: emitter.report)
    let legal = try legalizer.run()
    emitter.report = legalizer.report
    let (written, names) = try emitter.function(legal)
    mil.functions[function.name] = written
    note.functions.append(FunctionNote(function, constants: legalizer.values.compactMapValues { names[$0] }))
    var interface = CoreML_Specification_FunctionDescription()
    interface.name = function.name
    interface.input = Interface.inputs(function, legal, names, &emitter.report)
    interface.output = Interface.outputs(function, legal, names, &emitter.report)
    interface.state = Interface.states(legal, written)
    description.functions.append(interface)
  }

  /// One function is described in place; several each by name, which takes iOS 18.
  private mutating func describeFunctions(_ report: inout CoreMLReport) {
    if description.functions.count == 1, program.functions[0].name == "main" {
      description.input = description.functions[0].input
      description.output = description.functions[0].output
      description.state = description.functions[0].state
      description.functions = []
      return
    }
    description.defaultFunctionName = program.functions.first?.name ?? "main"
    if target < .iOS18 {
      report.refuse(
        "function",
        node: program.functions.map(\.name).joined(separator: ", "),
        "functions beside 'main' need iOS18",
        advice: "write the package for iOS18"
      )
    }
  }

  private mutating func addMetadata() {
    for (key, value) in program.metadata {
      switch key {
      case "author": description.metadata.author = value
      case "license": description.metadata.license = value
      case "version": description.metadata.versionString = value
      case "description": description.metadata.shortDescription = value
      default: description.metadata.userDefined[key] = value
      }
    }
    description.metadata.userDefined[CoreMLPackage.noteKey] = note.text
  }

  /// Deterministic bytes.
  static func serialized(_ message: some SwiftProtobuf.Message) throws(Diagnostic) -> Data {
    var options = BinaryEncodingOptions()
    options.useDeterministicOrdering = true
    do { return try message.serializedBytes(options: options) } catch {
      throw Diagnostic("coreml.too-large", "the program without weights exceeds protobuf's 2 GiB", kind: .unsupported)
    }
  }
}
