import Foundation
import Testing

/// `mlc verify` of one source model beside another.
@Suite struct TwoSourcesTests {
  private static let model = MLCProcess.fixture("classifier.onnx")

  @Test func aConversionAgrees() throws {
    let work = try Workspace()
    for (name, fixture) in [("a", "classifier.onnx"), ("b", "argmax.onnx")] {
      let package = work.path("\(name).mlpackage")
      let model = MLCProcess.fixture(fixture)
      #expect(try MLCProcess("convert", model, "-o", package).status == 0)
      let run = try MLCProcess("verify", model, package)
      #expect(run.status == 0 && run.output.contains("\(name).mlpackage"), "\(run.output)\(run.errors)")
    }
  }

  /// Sizes of the data are those that the other form takes.
  @Test(arguments: ["3", "2..3", "{5,3}"]) func formsOfFewerSizes(_ batch: String) throws {
    let work = try Workspace()
    for (name, command) in [("a.mlpackage", "convert"), ("a.mlmodelc", "compile")] {
      let made = try MLCProcess(command, Self.model, "-o", work.path(name), "--input", "x=\(batch),4")
      #expect(made.status == 0, "\(made.errors)")
      let run = try MLCProcess("verify", Self.model, work.path(name))
      #expect(run.status == 0, "\(run.output)\(run.errors)")
    }
  }

  /// Half the bits are half the digits, and what is derived from them is enough.
  @Test func halfPrecisionIsJudgedAsSuch() throws {
    let work = try Workspace()
    let package = work.path("half.mlpackage")
    #expect(try MLCProcess("compress", Self.model, "-o", package, "--fp16", "--min-elements", "0").status == 0)
    let run = try MLCProcess("verify", Self.model, package)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(try MLCProcess("verify", Self.model, package, "--rtol", "1e-7", "--atol", "1e-7").status == 1)
  }

  @Test func anotherWeightIsFound() throws {
    let work = try Workspace()
    let other = try work.copy("classifier.onnx")
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: other)))
    let weight = withUnsafeBytes(of: Float(1.5219693).bitPattern.littleEndian) { [UInt8]($0) }
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: weight) })
    bytes[place + 2] ^= 0x40
    try Data(bytes).write(to: URL(filePath: other))
    #expect(try MLCProcess("verify", Self.model, other).status == 1)
    let converted = work.path("other.mlpackage")
    #expect(try MLCProcess("convert", other, "-o", converted).status == 0)
    for form in [other, converted] {
      let run = try MLCProcess("verify", Self.model, form, "--layers")
      #expect(run.status == 1 && run.output.contains("← the error jumps here"), "\(run.output)\(run.errors)")
    }
    let package = work.path("other.mlmodelc")
    #expect(try MLCProcess("compile", other, "-o", package, "--target", "host").status == 0)
    let run = try MLCProcess("verify", Self.model, package, "--layers", "--report", work.path("report.html"))
    #expect(run.status == 1 && run.output.contains("It was made of another model"), "\(run.output)")
    let report = try String(contentsOfFile: work.path("report.html"), encoding: .utf8)
    #expect(report.contains("It was made of another model") && !report.contains("jumps nowhere"))
    #expect(try MLCProcess("verify", Self.model, Self.model).status == 0)
  }
}
