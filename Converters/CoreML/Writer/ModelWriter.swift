import CoreMLProto
import Foundation
import MLCCore
import MLCGraph
import SwiftProtobuf

/// One program on its way into a model.
struct ModelWriter {
  private let program: Program
  private let target: CoreMLWriteOptions.DeploymentTarget
  private var description = CoreML_Specification_ModelDescription()
  private var mil = MILProgram()
  private var note: ProgramNote

  init(_ program: Program, _ target: CoreMLWriteOptions.DeploymentTarget) {
    (self.program, self.target) = (program, target)
    note = ProgramNote(metadata: program.metadata)
    mil.version = 1
  }

  /// The model, whose weights go to `weights`, and what is to be known of it in `report`; with a note of what mlc has
  /// and the format has not, unless it goes into a pipeline.
  consuming func write(
    weights: consuming BlobWriter,
    _ report: inout CoreMLReport,
    isNoted: Bool
  ) throws(Diagnostic) -> (model: MLModelSpec, weightBytes: Int, digest: SHA256) {
    var emitter = ProgramEmitter(target: target, blobs: weights, report: report)
    for function in program.functions { try add(function, &emitter) }
    try emitter.blobs.finish()
    report = emitter.report
    note.digest = ProgramNote.digest(mil)
    addMetadata(isNoted: isNoted)
    describeFunctions(&report)
    let model = MLModelSpec.with {
      $0.specificationVersion = target.specificationVersion
      $0.description_p = description
      $0.mlProgram = mil
    }
    return (model, emitter.blobs.size, emitter.blobs.digest)
  }

  private mutating func add(_ function: Function, _ emitter: inout ProgramEmitter) throws(Diagnostic) {
    let classifier = ClassifierForm(function)
    let source = classifier?.function ?? function
    var legalizer = Legalizer(source, target: target, report: emitter.report)
    let legal = try legalizer.run()
    emitter.report = legalizer.report
    var (written, names) = try emitter.function(legal)
    classifier?.classify(&written)
    mil.functions[function.name] = written
    note.functions.append(FunctionNote(function, constants: legalizer.values.compactMapValues { names[$0] }))
    var interface = CoreML_Specification_FunctionDescription()
    interface.name = function.name
    interface.input = Interface.inputs(source, legal, names, &emitter.report)
    interface.output = Interface.outputs(source, legal, names, &emitter.report)
    interface.state = Interface.states(legal, written)
    classifier?.describe(&interface, function.features)
    description.functions.append(interface)
  }

  /// One function is described in place; several each by name, which takes iOS 18.
  private mutating func describeFunctions(_ report: inout CoreMLReport) {
    if description.functions.count == 1, program.functions[0].name == "main" {
      let only = description.functions[0]
      (description.input, description.output, description.state) = (only.input, only.output, only.state)
      description.predictedFeatureName = only.predictedFeatureName
      description.predictedProbabilitiesName = only.predictedProbabilitiesName
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

  private mutating func addMetadata(isNoted: Bool) {
    description.metadata = .init(program.metadata)
    if isNoted { description.metadata.userDefined[CoreMLPackage.noteKey] = note.text }
  }
}

extension CoreML_Specification_Metadata {
  init(_ pairs: [(key: String, value: String)]) {
    self.init()
    for (key, value) in pairs {
      switch key {
      case "author": author = value
      case "license": license = value
      case "version": versionString = value
      case "description": shortDescription = value
      default: userDefined[key] = value
      }
    }
  }
}
