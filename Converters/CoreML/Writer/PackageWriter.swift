import CoreMLProto
import Foundation
import MLCCore
import MLCGraph
import SwiftProtobuf

/// Programs on their way into a package: one is its model, several are a pipeline.
struct PackageWriter {
  private let parts: [(name: String, program: Program)]
  private let target: CoreMLWriteOptions.DeploymentTarget
  private let isStrict: Bool

  /// Throws `coreml.target`.
  init(_ parts: [(name: String, program: Program)], _ options: CoreMLWriteOptions) throws(Diagnostic) {
    var needed: [CompressionTarget] = []
    for part in parts { needed.append(CompressionTarget(part.program)) }
    let hasParts = parts.contains { $0.program.functions.count > 1 || !$0.program.main.states.isEmpty }
    let oldest = needed.map { $0.target }.max() ?? .iOS15
    target = options.minimumDeploymentTarget ?? (hasParts ? .iOS18 : oldest)
    for part in needed { try part.check(target) }
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
    for (place, part) in parts.enumerated() {
      let file = parts.count == 1 ? "weight.bin" : "\(place)-weight.bin"
      let writer = ModelWriter(part.program, target)
      let weights = BlobWriter(file, in: folder.weights)
      let written = try writer.write(weights: weights, &report, isNoted: parts.count == 1)
      models.append(written.model)
      report.weightBytes += written.weightBytes
      if written.weightBytes > 0 { digest = digest.map { $0.followed(by: written.digest) } ?? written.digest }
    }
    let model = models.count == 1 ? models[0] : try PipelineForm(zip(parts.map(\.name), models)).model
    if isStrict, let refusal = report.refusal { throw refusal }
    try folder.finish(model: try Self.serialized(model), weights: digest?.uuid)
    return report
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
