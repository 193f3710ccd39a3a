import Foundation
import MLCCompiler
import MLCCore
import MLCFormatCoreML
import MLCGraph
import MLCKernels
import MLCRuntime
import MLCTensorIO
import TestSupport
import Testing

/// kraken's segmentation of pages, a Core ML network whose group norms are custom layers, against what its layers make
/// of the same picture one after the other (`Tests/Corpora/kraken.py`).
@Suite struct KrakenModelTests {
  private static let model = "\(Corpus.folder)/models/kraken-blla.mlmodel"
  private static let record = "\(Corpus.folder)/kraken/blla.npz"

  @Test func everyLevelAgrees() throws {
    for path in [Self.model, Self.record] { try Corpus.require(path) }
    let tensors = Dictionary(uniqueKeysWithValues: try NPZ.read(Self.record).map { ($0.name, $0.tensor) })
    let (input, answer) = (try #require(tensors["in_0"]), try #require(tensors["out_0"]))
    var layers = CustomLayers()
    try layers.add("groupnorm", try manualText(beginning: "# Mean and variance of groups of channels"))
    let function = try CoreMLPackage.read(Self.model, custom: layers).main
    try function.verify()

    let levels = DeviceSet.here.map { $0.name }
    let compiled = try CompiledPackage(Program([function]), for: levels)
    for device in levels {
      let result = try compiled.model(on: device).predict([input])[0]
      let noise = try Comparison(expected: answer, actual: result, tolerance: .exact).signalToNoise
      #expect(noise > 80, "\(device): \(noise) dB")
    }
  }

  /// The code of the manual that begins so.
  private func manualText(beginning start: String) throws -> String {
    let root = Corpus.testFolder.deletingLastPathComponent().deletingLastPathComponent()
    let manual = try String(contentsOf: root.appending(path: "Specs/Manual/CoreML.md"), encoding: .utf8)
    let blocks = manual.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map {
      $0.element.trimmingCharacters(in: .newlines)
    }
    return try #require(blocks.first { $0.hasPrefix(start) })
  }
}
