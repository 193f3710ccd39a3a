import Foundation
import MLCCore
import MLCPackage
import TestSupport
import Testing

@Suite struct PackageReaderTests {
  private let scratch = Scratch()
  private var path: String { scratch.path("a") }

  private func write() throws {
    try? FileManager.default.removeItem(atPath: path)
    try PackageWriter.write(samplePackage(), to: path)
  }

  /// Puts `new` for `old`, with digests that fit.
  private func edit(_ file: String, _ old: String, _ new: String) throws {
    let text = try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
    #expect(text.contains(old), "\(file) holds no \(old)")
    let edited = text.replacingOccurrences(of: old, with: new)
    try edited.write(toFile: "\(path)/\(file)", atomically: true, encoding: .utf8)
    if file == "manifest.json" {
      try PackageSealing.sealManifest(of: path)
    } else {
      try PackageSealing.reseal(path)
    }
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
    for version in ["3.0", "1.2", "2", "x", "2.0.0", ""] {
      try write()
      try edit("manifest.json", "\"2.6\"", "\"\(version)\"")
      expectRefusal("package.version", version)
    }
    try write()
    try edit("manifest.json", "\"2.6\"", "\"2.7\"")
    _ = try PackageReader(path: path)
  }

  @Test func refusesManifestsWithoutADigest() throws {
    try write()
    let text = try String(contentsOfFile: path + "/manifest.json", encoding: .utf8)
    let digest = try PackageReader.manifest(at: path).digest
    let bare = text.replacing("  \"digest\": \"\(digest)\",\n", with: "")
    try bare.write(toFile: path + "/manifest.json", atomically: true, encoding: .utf8)
    expectRefusal("package.field")
  }

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
      ("\"size\": 36", "\"size\": 37"),
      ("\"size\": 36", "\"size\": -1"),
      ("\"offset\": 64", "\"offset\": 31"),
      ("\"gathered\": [", "\"gathered\": [7, "),
    ]
    for (old, new) in edits {
      try write()
      try edit("manifest.json", old, new)
      expectRefusal("package.field", new)
    }
  }

  /// Only a whole function says of its own states that they are changed in place.
  @Test func refusesOthersStatesInPlace() throws {
    var contents = samplePackage()
    let (type, name) = (TensorType(.float32, [4]), contents.functions[1].name)
    let states = [FunctionInterface.State("s", input: 0, output: 0)]
    let function = FunctionInterface(name, inputs: [.init("s", type)], outputs: [.init("t", type)], states: states)
    contents.functions[1] = function
    var wiring = SegmentWiring(whole: function)
    wiring.statesInPlace = [0]
    for target in contents.targets.indices { contents.targets[target].code[1].segments[0].wiring = wiring }
    try PackageWriter.write(contents, to: path)
    #expect(try PackageReader(path: path).manifest.targets[0].code[1].segments[0].wiring == wiring)
    for numbers in ["[1]", "[-1]", "[0, 1]", "[\"s\"]", "0"] {
      try FileManager.default.removeItem(atPath: path)
      try PackageWriter.write(contents, to: path)
      try edit("manifest.json", "\"statesInPlace\": [0]", "\"statesInPlace\": \(numbers)")
      expectRefusal("package.field", numbers)
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
      expectRefusal("package.field", new)
    }
  }

  @Test func noticesEveryMissingTruncatedAndChangedFile() throws {
    try write()
    let parts = files(below: path).filter { $0.key != "manifest.json" && !$0.value.isEmpty }
    #expect(parts.count > 3)
    for (name, data) in parts {
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
      let manifest = try Data(contentsOf: URL(fileURLWithPath: "\(path)/manifest.json"))
      let text = String(decoding: data, as: UTF8.self)
      for index in stride(from: 0, to: data.count, by: 29) {
        for byte in [UInt8(0), 0x22, 0x7b, 0x39, 0xff] {
          var changed = data
          changed[index] = byte
          try changed.write(to: url)
          // What JSON says otherwise is noticed.
          if changed != data, (try? PackageReader(path: path)) != nil {
            let meaning = try JSON(parsing: String(decoding: changed, as: UTF8.self))
            #expect(try meaning == JSON(parsing: text), "\(name) \(index)")
          }
          try PackageSealing.reseal(path)
          do throws(Diagnostic) { _ = try PackageReader(path: path) } catch { #expect(!error.message.isEmpty) }
          try manifest.write(to: URL(fileURLWithPath: "\(path)/manifest.json"))
        }
        try data.prefix(index).write(to: url)
        #expect(throws: Diagnostic.self) { try PackageReader(path: path) }
      }
      try data.write(to: url)
    }
  }

  /// No link out of the package is followed, nothing but files is opened, and no reader waits.
  @Test func refusesLinksAndSpecialFiles() throws {
    try write()
    let outside = scratch.path("outside")
    let names = files(below: path).keys
    #expect(names.count > 4)
    for name in names {
      let file = "\(path)/\(name)"
      try FileManager.default.moveItem(atPath: file, toPath: outside)
      for (kind, make) in [
        ("link", { symlink(outside, file) }), ("pipe", { mkfifo(file, 0o600) }), ("folder", { mkdir(file, 0o700) }),
        ("socket", { mknod(file, S_IFSOCK | 0o600, 0) }),
      ] as [(String, () -> Int32)] {
        try #require(make() == 0, "\(kind)")
        expectRefusal("package.not-a-file", "\(kind) for \(name)")
        try FileManager.default.removeItem(atPath: file)
      }
      try FileManager.default.moveItem(atPath: outside, toPath: file)
    }
    for folder in ["targets", "targets/x86-64-v2", "targets/x86-64-v2/main", "blobs"] {
      try FileManager.default.moveItem(atPath: "\(path)/\(folder)", toPath: outside)
      try #require(symlink(outside, "\(path)/\(folder)") == 0)
      expectRefusal("package.not-a-file", folder)
      try FileManager.default.removeItem(atPath: "\(path)/\(folder)")
      try FileManager.default.moveItem(atPath: outside, toPath: "\(path)/\(folder)")
    }
    // The path of the package itself may be a link: the user chose it.
    try #require(symlink(path, scratch.path("b")) == 0)
    try PackageReader(path: scratch.path("b")).verifyDigests()
  }

  @Test func refusesContradictionsInTheManifest() throws {
    try write()
    let weights = try PackageReader.manifest(at: path).targets[0].code[0].segments[0].weights
    let edits = [
      ("\"device\": \"x86-64-v4\"", "\"device\": \"x86-64-v2\""),
      (
        "\"size\": \(weights.size)}\n            }\n          ]\n        },",
        "\"size\": \(weights.size + 1)}\n            }\n          ]\n        },"
      ),
      ("\"device\": 0", "\"device\": 1"), ("\"inputs\": [0, 1]", "\"inputs\": [0, 2]"),
      ("\"inputs\": [0, 1]", "\"inputs\": [0, 3]"), ("\"inputs\": [0, 1]", "\"inputs\": [0, -1]"),
      ("\"outputs\": [2]", "\"outputs\": [2, 2]"), ("\"outputs\": [2]", "\"outputs\": []"),
      ("\"outputs\": [2]", "\"outputs\": [1]"), ("\"sizes\": [\"n\"]", "\"sizes\": [\"batch\"]"),
      ("\"path\": \"interface.json\"", "\"path\": \"\(String(repeating: "a/", count: 16))a\""),
      ("\"path\": \"interface.json\"", "\"path\": \"\(String(repeating: "a", count: 256))\""),
      ("\"tool\": \"mlc 0\"", "\"tool\": \"\(String(repeating: "a", count: 1 << 20 + 1))\""),
      ("[\"popcnt\"]", "[\(Array(repeating: "\"a\"", count: 257).joined(separator: ","))]"),
    ]
    for (old, new) in edits {
      try write()
      let text = try String(contentsOfFile: path + "/manifest.json", encoding: .utf8)
      let range = try #require(text.range(of: old), "\(old)")
      try text.replacingCharacters(in: range, with: new).write(
        toFile: path + "/manifest.json",
        atomically: true,
        encoding: .utf8
      )
      try PackageSealing.sealManifest(of: path)
      expectRefusal("package.field", String(new.prefix(60)))
    }
  }

  @Test func knowsTheDigestOfTheWhole() throws {
    let written = try PackageWriter.write(samplePackage(), to: path)
    let package = try PackageReader(path: path)
    #expect(package.manifest.digest == written && written.digestBytes != nil)
    try package.require(digest: written.uppercased())
    #expect { try package.require(digest: String(repeating: "0", count: 64)) } throws: {
      ($0 as? Diagnostic)?.id == "package.expected-digest"
    }
    #expect(try PackageWriter.write(samplePackage(tool: "mlc 1"), to: path) != written)
    #expect(try PackageReader(path: path).unlisted == [])
    try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/targets/x86-64-v2/left over"))
    #expect(try PackageReader(path: path).unlisted == ["targets/x86-64-v2/left over"])
  }
}
