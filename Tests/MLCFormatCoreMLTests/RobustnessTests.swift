import Foundation
import MLCCore
import MLCFormatCoreML
import MLCGraph
import Testing

/// Damaged packages give a program or a diagnostic, never anything else.
@Suite struct RobustnessTests {
  private static let files = [
    "Manifest.json", "Data/com.apple.CoreML/model.mlmodel", "Data/com.apple.CoreML/weights/weight.bin",
  ]

  /// Reads, touches every constant that was read and expands the compressed ones.
  private func survives(_ path: String) -> Bool {
    do throws(Diagnostic) {
      let program = try CoreMLPackage.read(path)
      for function in program.functions {
        for value in function.values { _ = value.fact.value?.hashValue }
        for operation in function.body.operations where operation.isConstantExpression {
          _ = try? expanded(operation.outputs[0], in: function)
        }
      }
      return true
    } catch { return false }
  }

  /// A package with a note, one without, some with compressed weights, one with a note that is not packed.
  private func packages(_ scratch: Scratch) throws -> [String] {
    let names = ["noted", "plain", "compressed", "loop", "early", "forms", "json"]
    let paths = names.map { scratch.file("\($0).mlpackage") }
    _ = try CoreMLPackage.write(try convolutionalNet(), to: paths[0])
    _ = try CoreMLPackage.write(try convolutionalNet(), to: paths[1])
    try forgetNote(paths[1])
    try FileManager.default.copyItem(
      atPath: ImportTests.fixture("mil_joint_sparse_palettized_ios18.mlpackage"),
      toPath: paths[2]
    )
    _ = try CoreMLPackage.write(try loopingProgram(), to: paths[3])
    let forms = CompressedConstantTests.self
    _ = try CoreMLPackage.write(try forms.net(forms.early), to: paths[4])
    try forgetNote(paths[4])
    _ = try CoreMLPackage.write(try forms.net(forms.early + forms.late), to: paths[5])
    try forgetNote(paths[5])
    let readable = try Noted(try convolutionalNet(), at: paths[6])
    try readable.set(String(decoding: try readable.json(), as: UTF8.self))
    return paths
  }

  @Test func survivesTruncationAnywhere() throws {
    let scratch = try Scratch()
    for path in try packages(scratch) {
      #expect(survives(path))
      var count = 0
      for file in Self.files {
        let url = URL(fileURLWithPath: "\(path)/\(file)")
        guard let whole = try? Data(contentsOf: url) else { continue }
        count += 1
        for length in stride(from: 0, to: whole.count, by: max(1, whole.count / 150)) {
          try whole.prefix(length).write(to: url)
          let read = survives(path)
          #expect(!read || file.hasSuffix("weight.bin") || length > whole.count / 2, "\(file) cut to \(length)")
        }
        try whole.write(to: url)
      }
      #expect(count >= 2, "\(path)")
    }
  }

  @Test func survivesFlippedBytes() throws {
    let scratch = try Scratch()
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for path in try packages(scratch) {
      var refused = 0
      for file in Self.files {
        let url = URL(fileURLWithPath: "\(path)/\(file)")
        guard let whole = try? Data(contentsOf: url) else { continue }
        for _ in 0..<500 {
          var bytes = whole
          // Half of the damage hits the start of the file, where lengths and offsets are.
          let reach = next(2) == 0 ? min(256, bytes.count) : bytes.count
          for _ in 0...next(3) { bytes[next(reach)] ^= UInt8(1 << next(8)) }
          try bytes.write(to: url)
          if !survives(path) { refused += 1 }
        }
        try whole.write(to: url)
      }
      #expect(refused > 100, "\(path): only \(refused) damaged packages were refused")
    }
  }

  @Test func namesTheProblem() throws {
    let scratch = try Scratch()
    let path = scratch.file("m.mlpackage")
    _ = try CoreMLPackage.write(try convolutionalNet(), to: path)
    let weights = "\(path)/Data/com.apple.CoreML/weights/weight.bin"
    try FileManager.default.removeItem(atPath: weights)
    expectDiagnostic("coreml.weights") { _ = try CoreMLPackage.read(path) }
    try FileManager.default.createSymbolicLink(atPath: weights, withDestinationPath: "/etc/hostname")
    expectDiagnostic("coreml.weights") { _ = try CoreMLPackage.read(path) }
    let manifest = URL(fileURLWithPath: "\(path)/Manifest.json")
    let text = try String(contentsOf: manifest, encoding: .utf8)
    try text.replacing("com.apple.CoreML/model.mlmodel", with: "../../../m").write(
      to: manifest,
      atomically: true,
      encoding: .utf8
    )
    expectDiagnostic("coreml.manifest") { _ = try CoreMLPackage.read(path) }
    try "{".write(to: manifest, atomically: true, encoding: .utf8)
    expectDiagnostic("coreml.manifest") { _ = try CoreMLPackage.read(path) }
    expectDiagnostic("file.open") { _ = try CoreMLPackage.read(scratch.file("absent.mlpackage")) }
    expectDiagnostic("coreml.malformed") { _ = try CoreMLPackage.read(manifest.path) }
  }
}
