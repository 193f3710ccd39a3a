import Foundation
import Testing

/// The C compilers that the documentation names besides the toolchain's: code by each computes what the reference does.
@Suite struct OtherCompilerTests {
  /// Those that are installed; `make test` installs gcc.
  static let compilers = ["gcc", "gcc-12", "gcc-13", "gcc-14", "clang-14", "clang-15", "clang-16", "clang-19"].filter {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
  }

  private func verify(_ compiler: String, _ arguments: String...) throws {
    let work = try Workspace()
    let (model, package) = (MLCProcess.fixture("documented.onnx"), work.path("out.mlmodelc"))
    let environment = ["MLC_CC": compiler]
    let targets = ["--target", "x86-64-v2,x86-64-v3,x86-64-v4"]
    let compiled = try MLCProcess(
      arguments: ["compile", model, "-o", package] + targets + arguments,
      environment: environment
    )
    #expect(compiled.status == 0, "\(compiler): \(compiled.errors)")
    let run = try MLCProcess("verify", model, package)
    #expect(run.status == 0, "\(compiler): \(run.output)\n\(run.errors)")
  }

  @Test func oneIsThere() { #expect(Self.compilers.contains("gcc")) }

  @Test(arguments: compilers) func computesTheSame(_ compiler: String) throws { try verify(compiler) }

  @Test(arguments: compilers) func storesHalves(_ compiler: String) throws {
    try verify(compiler, "--precision", "fp16")
  }
}
