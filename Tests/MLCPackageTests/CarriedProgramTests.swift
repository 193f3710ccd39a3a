import Foundation
import MLCCore
import MLCPackage
import TestSupport
import Testing

/// States of functions, and programs that packages carry.
@Suite struct CarriedProgramTests {
  private let scratch = Scratch()
  private var path: String { scratch.path("a") }

  private func contents() -> PackageContents {
    var contents = samplePackage()
    contents.constants = [Tensor([3], floats: [1, 2, 3]), Tensor(.int8, [2, 2], [1, 2, 3, 4])]
    contents.devices = contents.targets.map { $0.device }
    let port = FunctionInterface.Port("acc", TensorType(.float16, [4]))
    contents.functions[1].inputs.append(port)
    contents.functions[1].outputs.append(port)
    contents.functions[1].states = [.init("acc", input: 0, output: 1)]
    for target in contents.targets.indices {
      contents.targets[target].code[1].segments[0].wiring = SegmentWiring(whole: contents.functions[1])
    }
    return contents
  }

  private func expectRefusal(_ id: Diagnostic.ID) {
    #expect { _ = try PackageReader(path: path).constants() } throws: { ($0 as? Diagnostic)?.id == id }
  }

  private func edit(_ file: String, _ old: String, _ new: String) throws {
    let text = try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
    #expect(text.contains(old), "\(file) holds no \(old)")
    try text.replacingOccurrences(of: old, with: new).write(
      toFile: "\(path)/\(file)",
      atomically: true,
      encoding: .utf8
    )
    if file == "manifest.json" {
      try PackageSealing.sealManifest(of: path)
    } else {
      try PackageSealing.reseal(path)
    }
  }

  @Test func readsBack() throws {
    let contents = contents()
    try PackageWriter.write(contents, to: path)
    let package = try PackageReader(path: path)
    #expect(try package.program() == contents.program && package.constants() == contents.constants)
    #expect(package.manifest.devices == contents.devices && package.functions == contents.functions)
    #expect(package.functions[1].callerInputs.isEmpty && package.functions[1].callerOutputs.map { $0.name } == ["z"])
  }

  @Test func refusesConstantsOutsideOfTheFile() throws {
    for (old, new) in [
      ("\"shape\": [3]", "\"shape\": [99]"), ("\"shape\": [3]", "\"shape\": [-1]"),
      ("\"shape\": [3]", "\"shape\": [9223372036854775807, 2]"), ("\"offset\": 64", "\"offset\": 9223372036854775807"),
      ("\"dtype\": \"int8\"", "\"dtype\": \"string\""), ("\"dtype\": \"int8\"", "\"dtype\": \"fp80\""),
    ] {
      try? FileManager.default.removeItem(atPath: path)
      try PackageWriter.write(contents(), to: path)
      try edit("manifest.json", old, new)
      expectRefusal("package.field")
    }
  }

  @Test func refusesStatesThatDoNotFit() throws {
    for (input, output) in [(1, 1), (0, 0), (0, 2)] {
      try? FileManager.default.removeItem(atPath: path)
      try PackageWriter.write(contents(), to: path)
      try edit(
        "interface.json",
        "{\"input\": 0, \"name\": \"acc\", \"output\": 1}",
        "{\"input\": \(input), \"name\": \"acc\", \"output\": \(output)}"
      )
      expectRefusal("package.field")
    }
  }
}
