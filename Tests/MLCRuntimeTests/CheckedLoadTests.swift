import Foundation
import MLCCore
import MLCDriverCPU
import MLCPackage
import MLCRuntime
import TestSupport
import Testing

/// Packages that are not what they were, and which of two libraries runs.
@Suite struct CheckedLoadTests {
  private let x = Tensor([40], floats: (0..<40).map { Float($0) })

  private func sum(_ weight: Float) -> [Tensor] { [Tensor([40], floats: (0..<40).map { Float($0) + weight })] }

  private func files(of package: String) throws -> [String] {
    let manifest = try PackageReader.manifest(at: package)
    return manifest.files.map { $0.path } + ["manifest.json"]
  }

  /// Each file with one bit or byte changed, one removed, one added: loading fails, or the outputs are the same to the
  /// bit.
  @Test func damageIsNoticedOrWithoutEffect() throws {
    let fixture = try Fixture.adder(weight: 3)
    let right = try fixture.load(threads: 1).predict([x])
    #expect(right == sum(3))
    var numbers = SeededNumbers(seed: 1)
    for name in try files(of: fixture.path) {
      let url = URL(fileURLWithPath: "\(fixture.path)/\(name)")
      let data = try Data(contentsOf: url)
      var noticed = 0
      for round in 0..<60 {
        var damaged = data
        let place = Int.random(in: data.indices, using: &numbers)
        switch round % 4 {
        case 0: damaged[place] ^= 1 << UInt8.random(in: 0...7, using: &numbers)
        case 1: damaged[place] = UInt8.random(in: 0...255, using: &numbers)
        case 2: damaged.remove(at: place)
        default: damaged.insert(UInt8.random(in: 0...255, using: &numbers), at: place)
        }
        try damaged.write(to: url)
        do {
          let outputs = try fixture.load(threads: 1).predict([x])
          #expect(outputs == right, "\(name): \(round)")
        } catch let error as Diagnostic {
          noticed += 1
          #expect(error.id.rawValue.hasPrefix("package."), "\(name): \(error)")
        }
      }
      // White space of the manifest has no effect.
      #expect(noticed >= (name == "manifest.json" ? 30 : 58), "\(name): \(noticed) of 60")
      try data.write(to: url)
    }
    #expect(try fixture.load().predict([x]) == right)
  }

  /// One digit of an interface that still has the right digest: a smaller output would be written past its end.
  @Test func oneDigitThatTheDigestsCoverIsRefused() throws {
    let fixture = try Fixture.adder()
    let url = URL(fileURLWithPath: fixture.path + "/interface.json")
    let text = try String(contentsOf: url, encoding: .utf8)
    let shapes = text.ranges(of: "[\"n\"]")
    try #require(shapes.count == 2)
    for (old, new) in [(shapes[1], "[\"1\"]"), (shapes[1], "[\"n*0\"]"), (shapes[0], "[\"2*n\"]")] {
      try text.replacingCharacters(in: old, with: new).write(to: url, atomically: true, encoding: .utf8)
      #expect(throws: Diagnostic.self, "\(new)") { try fixture.load() }
      try PackageSealing.reseal(fixture.path)
      expect("package.contradiction", new) { try fixture.load() }
    }
    try text.replacing("\"fp32\"", with: "\"int8\"").write(to: url, atomically: true, encoding: .utf8)
    try PackageSealing.reseal(fixture.path)
    expect("package.contradiction") { try fixture.load() }
  }

  /// Files of a package with the same interface, under honest digests.
  @Test func filesOfAnotherPackageAreRefused() throws {
    let sound = try Fixture.adder(weight: 1)
    let names = try files(of: sound.path)
    #expect(try sound.load().predict([x]) == sum(1))
    for name in names where name != "manifest.json" {
      let (mine, other) = (try Fixture.adder(weight: 1), try Fixture.adder(weight: 2))
      let manifest = try PackageReader.manifest(at: other.path)
      let code = manifest.targets[0].code[0].segments[0]
      let theirs = name.hasPrefix("blobs") ? code.weights.path : name
      let data = try withExtendedLifetime(other) {
        try Data(contentsOf: URL(fileURLWithPath: "\(other.path)/\(theirs)"))
      }
      try data.write(to: URL(fileURLWithPath: "\(mine.path)/\(name)"))
      try PackageSealing.reseal(mine.path)
      if name.hasSuffix(".so") || name.hasPrefix("blobs") {
        expect("package.contradiction", name) { try mine.load() }
      } else {
        #expect(try mine.load().predict([x]) == sum(1), "\(name)")
      }
    }
  }

  /// Code that is shorter than its own headers say, under honest digests.
  @Test func codeThatIsCutShortIsRefused() throws {
    let fixture = try Fixture.adder()
    let url = URL(fileURLWithPath: "\(fixture.path)/targets/here/main/kernels.so")
    let data = try Data(contentsOf: url)
    // Behind the last segment stands what no loader reads.
    let segments = 64 + 56 * Int(data[56])
    let end =
      stride(from: 64, to: segments, by: 56).map { segment -> Int in
        let words = [8, 32].map { at in (0..<8).reduce(0) { $0 | Int(data[segment + at + $1]) << (8 * $1) } }
        return words[0] + words[1]
      }.max() ?? 0
    try #require(end > segments && end <= data.count)
    for length in [0, 1, 63, 64, 65, segments - 1, segments] + Array(stride(from: segments, to: end, by: 97)) + [
      end - 1
    ] {
      try data.prefix(length).write(to: url)
      try PackageSealing.reseal(fixture.path)
      expect("runtime.load", "\(length) of \(data.count) bytes") { try fixture.load() }
    }
    try data.prefix(end).write(to: url)
    try PackageSealing.reseal(fixture.path)
    #expect(try fixture.load().predict([x]) == sum(1))
  }

  @Test func linksAndPipesAreRefusedAtOnce() throws {
    let fixture = try Fixture.adder()
    for name in try files(of: fixture.path) {
      let (file, aside) = ("\(fixture.path)/\(name)", fixture.path + ".aside")
      try FileManager.default.moveItem(atPath: file, toPath: aside)
      try #require(symlink(aside, file) == 0)
      expect("package.not-a-file", name) { try fixture.load() }
      try #require(unlink(file) == 0 && mkfifo(file, 0o600) == 0)
      expect("package.not-a-file", name) { try fixture.load() }
      try #require(unlink(file) == 0)
      try FileManager.default.moveItem(atPath: aside, toPath: file)
    }
    #expect(try fixture.load().predict([x]) == sum(1))
  }

  /// Loaders tell libraries apart by name and file: neither a descriptor's number nor a path that is used again leads
  /// to another package's code.
  @Test func everyPackageRunsItsOwnCode() throws {
    let (one, two) = (try Fixture.adder(weight: 1), try Fixture.adder(weight: 2))
    for _ in 0..<3 {
      let first = try one.load()
      #expect(try first.predict([x]) == sum(1))
      let again = try one.load()
      let second = try two.load()
      #expect(try second.predict([x]) == sum(2) && again.predict([x]) == sum(1) && first.predict([x]) == sum(1))
    }
    // The same path, another package, while the first is loaded.
    let old = try one.load()
    try FileManager.default.moveItem(atPath: one.path, toPath: one.path + ".old")
    try FileManager.default.moveItem(atPath: two.path, toPath: one.path)
    let new = try one.load()
    #expect(try new.predict([x]) == sum(2) && old.predict([x]) == sum(1))
  }

  /// What is remembered is not read again, unless that is demanded: damage below the file system is such.
  @Test func rememberedFilesAreNotReadAgain() throws {
    let fixture = try Fixture.adder(weights: 200_000)
    let weights = try PackageReader.manifest(at: fixture.path).targets[0].code[0].segments[0].weights
    let file = "\(fixture.path)/\(weights.path)"
    var data = try Data(contentsOf: URL(fileURLWithPath: file))
    data[data.count - 1] ^= 1
    try data.write(to: URL(fileURLWithPath: file))
    let descriptor = open(file, O_RDONLY)
    defer { close(descriptor) }
    var records = DigestRecords()
    records.insert(try #require(FileIdentity(descriptor)), try #require(weights.digest.digestBytes))
    let kept = fixture.path + ".digests"
    try #require(
      FileManager.default.createFile(
        atPath: kept,
        contents: Data(records.bytes),
        attributes: [.posixPermissions: 0o600]
      )
    )
    var options = Model.Options()
    expect("package.digest") { try fixture.load(options) }
    options.memory = DigestMemory(file: kept)
    #expect(try fixture.load(options).predict([x]) == sum(1))
    options.verifiesDigests = true
    expect("package.digest") { try fixture.load(options) }
    // A change that the file system knows of makes another file of it.
    options.verifiesDigests = false
    try data.write(to: URL(fileURLWithPath: file))
    expect("package.digest") { try fixture.load(options) }
  }

  @Test func anotherPackageThanExpectedIsRefused() throws {
    let fixture = try Fixture.adder()
    var options = Model.Options()
    options.expectedDigest = try PackageReader.manifest(at: fixture.path).digest
    #expect(try fixture.load(options).predict([x]) == sum(1))
    options.expectedDigest = String(repeating: "0", count: 64)
    expect("package.expected-digest") { try fixture.load(options) }
    expect("package.expected-digest") {
      try Model.prepared(path: fixture.path, drivers: [try CPUDriver(threads: 1)], options: options)
    }
  }
}
