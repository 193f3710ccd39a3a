import Foundation
import MLCCore
import MLCPackage
import Testing

/// A file that nobody changed for long.
private func identity(_ number: Int, size: Int = 1 << 20, changed: Int64 = 1_000_000_000) -> FileIdentity {
  FileIdentity(device: 1, inode: Int64(number), size: Int64(size), modified: 7, changed: changed)
}

private func digest(_ number: Int) -> [UInt8] { (0..<32).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0) } }

@Suite struct DigestMemoryTests {
  private let scratch = Scratch()
  private var path: String { scratch.path("cache/deep/digests") }

  private func mode(_ path: String) throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  @Test func otherProcessesRemember() throws {
    let first = DigestMemory(file: path)
    #expect(first.digest(of: identity(1)) == nil)
    first.remember(identity(1), digest(1))
    #expect(first.digest(of: identity(1)) == digest(1))
    DigestMemory(file: path).remember(identity(2), digest(2))
    let third = DigestMemory(file: path)
    #expect(third.digest(of: identity(1)) == digest(1) && third.digest(of: identity(2)) == digest(2))
    #expect(try mode(path) == 0o600 && mode(scratch.path("cache/deep")) == 0o700)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path("cache/deep")) == ["digests"])
  }

  @Test func anotherIdentityIsAnotherFile() throws {
    let memory = DigestMemory(file: path)
    memory.remember(identity(1), digest(1))
    #expect(memory.digest(of: identity(1, changed: 1_000_000_001)) == nil)
    #expect(memory.digest(of: identity(1, size: 1 << 20 + 1)) == nil)
    memory.remember(identity(1, changed: 2_000_000_000), digest(2))
    // What the file was before is forgotten.
    #expect(memory.digest(of: identity(1)) == nil)
    #expect(DigestMemory(file: path).digest(of: identity(1, changed: 2_000_000_000)) == digest(2))
  }

  /// A file that changed just now may change again without another time, and a short one is read faster than looked up.
  @Test func forgetsWhatMayChangeUnseen() throws {
    let memory = DigestMemory(file: path)
    let now = Int64(Date().timeIntervalSince1970 * 1e9)
    memory.remember(identity(1, changed: now), digest(1))
    memory.remember(identity(2, changed: now + 1_000_000_000_000), digest(1))
    memory.remember(identity(3, size: 1000), digest(1))
    #expect((1...3).allSatisfy { memory.digest(of: identity($0, changed: now)) == nil })
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func keepsTheLast1024() throws {
    let memory = DigestMemory(file: path)
    for number in 0..<1030 { memory.remember(identity(number), digest(number)) }
    let other = DigestMemory(file: path)
    #expect((0..<6).allSatisfy { other.digest(of: identity($0)) == nil && memory.digest(of: identity($0)) == nil })
    #expect((6..<1030).allSatisfy { other.digest(of: identity($0)) == digest($0) })
    #expect(try #require(FileManager.default.contents(atPath: path)).count == 8 + 1024 * 80)
  }

  /// A damaged file of remembered digests says what was written or nothing.
  @Test func damageIsForgotten() throws {
    for number in 0..<3 { DigestMemory(file: path).remember(identity(number), digest(number)) }
    let sound = try #require(FileManager.default.contents(atPath: path))
    func check(_ bytes: Data, _ comment: String) throws {
      try FileManager.default.removeItem(atPath: path)
      #expect(FileManager.default.createFile(atPath: path, contents: bytes, attributes: [.posixPermissions: 0o600]))
      let memory = DigestMemory(file: path)
      for number in 0..<3 {
        let found = memory.digest(of: identity(number))
        #expect(found == nil || found == digest(number), "\(comment)")
      }
    }
    for index in sound.indices {
      var damaged = sound
      damaged[index] ^= 1 << (index % 8)
      try check(damaged, "byte \(index)")
    }
    for length in 0..<sound.count { try check(sound.prefix(length), "\(length) bytes") }
    try check(sound + Data(repeating: 0, count: 1 << 20), "too long")
    try check(sound, "sound")
    #expect(DigestMemory(file: path).digest(of: identity(1)) == digest(1))
  }

  @Test func takesOnlyAFileOfItsOwn() throws {
    DigestMemory(file: path).remember(identity(1), digest(1))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    #expect(DigestMemory(file: path).digest(of: identity(1)) == nil)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    #expect(DigestMemory(file: path).digest(of: identity(1)) == digest(1))
    try FileManager.default.moveItem(atPath: path, toPath: scratch.path("elsewhere"))
    try #require(symlink(scratch.path("elsewhere"), path) == 0)
    #expect(DigestMemory(file: path).digest(of: identity(1)) == nil)
    try FileManager.default.removeItem(atPath: path)
    try #require(mkfifo(path, 0o600) == 0)
    #expect(DigestMemory(file: path).digest(of: identity(1)) == nil)
  }

  /// Where nothing can be kept, the process itself remembers.
  @Test func worksWithoutAPlace() throws {
    try Data().write(to: URL(fileURLWithPath: scratch.path("file")))
    for memory in [DigestMemory(file: nil), DigestMemory(file: scratch.path("file/digests"))] {
      memory.remember(identity(1), digest(1))
      memory.remember(identity(2), digest(2))
      #expect(memory.digest(of: identity(1)) == digest(1) && memory.digest(of: identity(2)) == digest(2))
    }
  }

  @Test func manyWriteAtOnce() async throws {
    let path = path
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask {
          let memory = DigestMemory(file: path)
          for round in 0..<20 {
            memory.remember(identity(number * 100 + round), digest(number * 100 + round))
          }
        }
      }
    }
    let memory = DigestMemory(file: path)
    let all = (0..<16).flatMap { number in (0..<20).map { number * 100 + $0 } }
    let known = all.filter { memory.digest(of: identity($0)) != nil }
    #expect(!known.isEmpty && known.allSatisfy { memory.digest(of: identity($0)) == digest($0) })
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path("cache/deep")) == ["digests"])
  }
}
