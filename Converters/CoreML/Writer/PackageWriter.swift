import CoreMLProto
import Foundation
import MLCCore
import MLCGraph
import SwiftProtobuf

/// Models on their way into a package: one is its model, several are a pipeline.
struct PackageWriter {
  private let parts: [CoreMLPart]
  private let target: CoreMLWriteOptions.DeploymentTarget
  private let isStrict: Bool

  /// Throws `coreml.target`.
  init(_ parts: [CoreMLPart], _ options: CoreMLWriteOptions) throws(Diagnostic) {
    var oldest = CoreMLWriteOptions.DeploymentTarget.iOS15
    for part in parts { oldest = max(oldest, try part.oldestTarget(options.minimumDeploymentTarget)) }
    target = options.minimumDeploymentTarget ?? oldest
    (self.parts, isStrict) = (parts, options.isStrict)
  }

  /// Throws `coreml.refused` for what Apple's loader would refuse, where the options are strict, and `coreml.pipeline`;
  /// nothing is written then.
  func write(to path: String) throws(Diagnostic) -> CoreMLReport {
    let folder = try PackageFolder(path)
    var report = CoreMLReport()
    report.deploymentTarget = target
    var models: [MLModelSpec] = []
    var digest: SHA256?
    for place in parts.indices {
      let written = try model(place, folder, &report)
      models.append(written.model)
      report.weightBytes += written.weightBytes
      if written.weightBytes > 0 { digest = digest.map { $0.followed(by: written.digest) } ?? written.digest }
    }
    let model = models.count == 1 ? models[0] : try PipelineForm(zip(parts.map(\.name), models)).model
    if isStrict, let refusal = report.refusal { throw refusal }
    try folder.finish(model: try Self.serialized(model), weights: digest?.uuid)
    return report
  }

  private func model(
    _ place: Int,
    _ folder: PackageFolder,
    _ report: inout CoreMLReport
  ) throws(Diagnostic) -> (model: MLModelSpec, weightBytes: Int, digest: SHA256) {
    let isAlone = parts.count == 1
    switch parts[place].content {
    case .program(let program):
      let weights = BlobWriter(isAlone ? "weight.bin" : "\(place)-weight.bin", in: folder.weights)
      return try ModelWriter(program, target).write(weights: weights, &report, isNoted: isAlone)
    case .kept(let model):
      guard isAlone || !model.hasWeights else {
        throw Diagnostic("coreml.pipeline", "'\(parts[place].name)' is a pipeline with weights files of its own")
      }
      report.note("'\(parts[place].name)' is written as it was read: no ML Program says \(model.kind)")
      let copied = try model.copyWeights(to: folder.weights)
      return (model.spec, copied.bytes, copied.digest)
    }
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

extension SHA256 {
  /// Of both digests in turn.
  fileprivate func followed(by other: SHA256) -> SHA256 {
    var result = SHA256()
    for text in [hexDigest, other.hexDigest] { Data(text.utf8).withUnsafeBytes { result.update($0) } }
    return result
  }
}

extension CoreMLPart {
  /// The oldest system that has what the part needs. Throws `coreml.target` where that is later than `wanted`.
  fileprivate func oldestTarget(
    _ wanted: CoreMLWriteOptions.DeploymentTarget?
  ) throws(Diagnostic) -> CoreMLWriteOptions.DeploymentTarget {
    switch content {
    case .program(let program):
      let needed = CompressionTarget(program)
      if let wanted { try needed.check(wanted) }
      return program.functions.count > 1 || !program.main.states.isEmpty ? .iOS18 : needed.target
    case .kept(let model):
      let oldest = model.deploymentTarget
      if let wanted, wanted < oldest {
        throw Diagnostic("coreml.target", "'\(name)' is of \(oldest.name) and is written as it is", kind: .usage)
      }
      return oldest
    }
  }
}
