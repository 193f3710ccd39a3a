import Foundation
import MLCCore
import MLCPackage
import Testing

@Suite struct PackageReaderTests {
  private let scratch = Scratch()
  private var path: String { scratch.path("a") }

  private func write() throws {
    try? FileManager.default.removeItem(atPath: path)
    try PackageWriter.write(samplePackage(), to: path)
  }

  private func edit(_ file: String, _ old: String, _ new: String) throws {
    let text = try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
    #expect(text.contains(old), "\(file) holds no \(old)")
    let edited = text.replacingOccurrences(of: old, with: new)
    try edited.write(toFile: "\(path)/\(file)", atomically: true, encoding: .utf8)
  }

  private func expectRefusal(_ id: Diagnostic.ID, _ comment: String = "") {
    #expect("\(comment)") { try PackageReader(path: path).verifyDigests() } throws: { ($0 as? Diagnostic)?.id == id }
  }

  @Test func refusesOtherDirectories() throws {
    expectRefusal("package.missing-file")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    expectRefusal("package.missing-file")
    for (text, id) in [("{}", "package.format"), ("[]", "package.field"), ("{", "package.json")] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/manifest.json"))
      expectRefusal(Diagnostic.ID(id), text)
    }
  }

  @Test func refusesOtherVersions() throws {
    for version in ["2.0", "0.9", "1", "x", "1.0.0", ""] {
      try write()
      try edit("manifest.json", "\"1.1\"", "\"\(version)\"")
      expectRefusal("package.version", version)
    }
    try write()
    try edit("manifest.json", "\"1.1\"", "\"1.7\"")
    _ = try PackageReader(path: path)
  }

  /// Packages of version 1.0 do not say how tensors are stored.
  @Test func precisionIsOptional() throws {
    try write()
    #expect(try PackageReader(path: path).manifest.precision == .float16)
    try edit("manifest.json", "\"precision\": \"fp16\",", "")
    #expect(try PackageReader(path: path).manifest.precision == nil)
  }

  @Test func refusesDamagedFields() throws {
    let edits = [
      ("\"path\": \"interface.json\"", "\"path\": \"../a/interface.json\""),
      ("\"path\": \"interface.json\"", "\"path\": \"/etc/passwd\""),
      ("\"path\": \"interface.json\"", "\"path\": \"\""),
      ("\"path\": \"interface.json\"", "\"path\": \"x\\u0000y\""),
      ("\"requires\": [\"popcnt\"]", "\"requires\": [1]"),
      ("\"precision\": \"fp16\"", "\"precision\": \"int8\""),
      ("\"precision\": \"fp16\"", "\"precision\": 16"),
      ("\"functions\": [\"main\", ", "\"functions\": [\"other\", "),
      ("\"functions\": [\"main\", \"with space/../x\"]", "\"functions\": []"),
      ("\"sha256\": \"", "\"sha256\": \"z"),
      ("\"size\": 100", "\"size\": -100"),
      ("\"size\": 100", "\"size\": 1e2"),
      ("\"targets\":", "\"goals\":"),
    ]
    for (old, new) in edits {
      try write()
      try edit("manifest.json", old, new)
      expectRefusal("package.field", new)
    }
  }

  @Test func refusesDamagedInterfaces() throws {
    let edits = [
      ("\"fp32\"", "\"fp33\""), ("\"batch\", \"3\"", "\"batc\", \"3\""), ("\"3\"", "\"3*\""), ("\"3\"", "3"),
      ("\"bound\": \"3*batch\"", "\"bound\": \"3*n\""), ("\"minimum\": 1", "\"minimum\": 9"),
      ("\"name\": \"w\"", "\"name\": \"batch\""), ("\"name\": \"ids\"", "\"name\": \"x\""),
      ("\"inputs\"", "\"inputz\""), ("\"2*w + 1\"", "\"2*v + 1\""), ("[1, 5]", "[1]"), ("[1, 5]", "[1, -5]"),
      ("[1, 5]", "[1, \"5\"]"), ("[1, 5]", "1"), ("\"symbols\": [\"batch\", ", "\"symbols\": [\"x\", "),
      ("\"symbols\": [\"batch\", ", "\"symbols\": [\"w\", "),
    ]
    for (old, new) in edits {
      try write()
      try edit("interface.json", old, new)
      let size = try #require(FileManager.default.contents(atPath: path + "/interface.json")).count
      let before = try PackageReader.manifest(at: path).interface.size
      try edit("manifest.json", "\"size\": \(before)}", "\"size\": \(size)}")
      expectRefusal("package.field", new)
    }
  }

  @Test func noticesEveryMissingTruncatedAndChangedFile() throws {
    try write()
    for (name, data) in files(below: path) where name != "manifest.json" && !data.isEmpty {
      let url = URL(fileURLWithPath: "\(path)/\(name)")
      try data.dropLast().write(to: url)
      expectRefusal("package.size", name)
      var changed = data
      changed[changed.count / 2] ^= 1
      try changed.write(to: url)
      #expect(throws: Diagnostic.self, "\(name)") { try PackageReader(path: path).verifyDigests() }
      try FileManager.default.removeItem(at: url)
      expectRefusal("package.missing-file", name)
      try data.write(to: url)
    }
    try PackageReader(path: path).verifyDigests()
  }

  /// Whatever one byte of the JSON becomes, reading ends in a package or a diagnostic.
  @Test func survivesAnyChangedByte() throws {
    try write()
    for name in ["manifest.json", "interface.json"] {
      let url = URL(fileURLWithPath: "\(path)/\(name)")
      let data = try Data(contentsOf: url)
      for index in stride(from: 0, to: data.count, by: 29) {
        for byte in [UInt8(0), 0x22, 0x7b, 0x39, 0xff] {
          var changed = data
          changed[index] = byte
          try changed.write(to: url)
          do throws(Diagnostic) { _ = try PackageReader(path: path) } catch { #expect(!error.message.isEmpty) }
        }
        try data.prefix(index).write(to: url)
        #expect(throws: Diagnostic.self) { try PackageReader(path: path) }
      }
      try data.write(to: url)
    }
  }
}
