import Foundation
import Testing

/// What an application carries that links `CoreML`, seen on the benchmark of it.
@Suite struct LinkageTests {
  private func output(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    let file = FileManager.default.temporaryDirectory.appending(path: "symbols-\(UUID().uuidString)")
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    process.standardOutput = try FileHandle(forWritingTo: file)
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }

  /// No graph, operators, compiler, converter, protobuf, HDF5 or zip: neither their symbols nor their libraries.
  @Test func carriesNoCompilerAndNoConverter() throws {
    let symbols = try output(["nm", Sources.benchmark.path()])
    #expect(symbols.contains("6CoreML7MLModelC") && symbols.contains("10MLCRuntime"))
    for module in [
      "8MLCGraph", "6MLCOps", "9MLCPasses", "10MLCKernels", "10MLCTargetC", "11MLCCompiler", "13MLCImportONNX",
      "15MLCFormatCoreML", "11MLCProtobuf", "13SwiftProtobuf", "9ONNXProto", "11CoreMLProto", "H5Fopen", "zip_open",
    ] {
      let found = symbols.split(separator: "\n").first { $0.contains(module) }
      #expect(found == nil, "\(module)")
    }
    let libraries = try output(["ldd", Sources.benchmark.path()])
    for library in ["libprotobuf", "libhdf5", "libzip", "libpng", "libjpeg"] { #expect(!libraries.contains(library)) }
  }

  /// Decoders of pictures come with ImageIO: what links it has them, and still nothing of the compiler.
  @Test func decodersComeWithImageIO() throws {
    let program = Sources.products.appending(path: "pictures-bench").path()
    let libraries = try output(["ldd", program])
    #expect(libraries.contains("libpng") && libraries.contains("libjpeg"))
    for library in ["libprotobuf", "libhdf5", "libzip"] { #expect(!libraries.contains(library)) }
    let symbols = try output(["nm", program])
    for module in ["8MLCGraph", "11MLCCompiler", "13MLCImportONNX", "13SwiftProtobuf"] {
      #expect(!symbols.contains(module), "\(module)")
    }
  }
}
