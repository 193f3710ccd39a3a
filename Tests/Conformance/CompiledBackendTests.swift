import Foundation
import MLCCompiler
import MLCCore
import MLCGraph
import MLCKernels
import MLCPasses
import MLCRuntime
import TestSupport
import Testing

/// ONNX' own backend tests as generated code, many in one shared object, on the devices that this CPU can be, which
/// take turns: what the interpreter answers rightly they do, but for `CompiledBackendExceptions`.
@Suite(.serialized) struct CompiledBackendTests {
  private struct Item {
    var name: String
    var test: BackendCase
    var function: Function
    var inputs: [Tensor]
  }

  @Test(arguments: DeviceSet.here.indices)
  func generatedCode(_ place: Int) throws {
    try Corpus.require(Corpus.cases)
    let device = DeviceSet.here[place]
    let all = try ONNXBackendTests.expectedPasses().map { BackendCase(name: $0) }
    let cases = Turns.cases(all, on: place, of: DeviceSet.here.count)
    let (problems, excused, count) = try Self.play(cases, on: device)
    let unexplained = problems.filter { problem in
      !CompiledBackendExceptions.cases.keys.contains { problem.hasPrefix($0 + ":") }
    }
    #expect(unexplained.isEmpty, "\(unexplained.count) on \(device.name):\n\(unexplained.joined(separator: "\n"))")
    print("\(device.name): \(count) of \(cases.count) played, \(problems.count) otherwise than they should be")
    #expect(excused.count <= cases.count / 20, "\(excused.count) are refused: \(excused.sorted())")
  }

  /// What is wrong with `cases` as code for `device`; those whose refusal has a reason; how many are played.
  static func play(_ cases: [BackendCase], on device: DeviceDescription) throws -> (
    [String], excused: Set<String>, played: Int
  ) {
    let runner = try CompiledRunner(device)
    var (items, problems, excused): ([Item], [String], Set<String>) = ([], [], [])
    for test in cases {
      do throws(Diagnostic) {
        let (function, inputs) = try test.imported()
        var rewritten = function
        try PassPipeline.standard.run(&rewritten)
        try runner.check(rewritten)
        items.append(Item(name: test.name, test: test, function: function, inputs: inputs))
      } catch {
        guard CompiledBackendExceptions.reason(test.name, error.id.rawValue) == nil else {
          excused.insert(test.name)
          continue
        }
        problems.append("\(test.name): \(error)")
      }
    }
    problems += runner.inParts(items, of: 40, name: \.name) { (part) throws(Diagnostic) in
      var batch = FunctionBatch()
      for item in part { try batch.append(item.function, [item.inputs]) }
      let results = batch.divided(try runner.run(batch.function(), batch.runs)[0])
      var found: [String] = []
      for (item, outputs) in zip(part, results) {
        guard let problem = item.test.mismatch(outputs, try item.test.expected(item.function)) else { continue }
        found.append("\(item.name): \(problem)")
      }
      return found
    }
    return (problems, excused, items.count)
  }
}

/// Backend tests that generated code does not play, each with the reason.
enum CompiledBackendExceptions {
  /// By the diagnostic that refuses them.
  static let refusals: [String: String] = [
    "lower.resize-target": "the sizes of a resize that no type says are planned from a constant alone",
    "lower.unknown-size": "the result has no bound before run time, so no memory can be planned",
  ]
  /// By name.
  static let cases: [String: String] = Dictionary(
    uniqueKeysWithValues: ["bmp_rgb", "jpeg_bgr", "jpeg_grayscale", "jpeg_rgb", "png_rgb", "pnm_rgb"].map {
      ("node/test_image_decoder_decode_\($0)", "pictures are decoded by the interpreter alone")
    }
  )

  static func reason(_ name: String, _ refusal: String) -> String? { cases[name] ?? refusals[refusal] }
}
