import Foundation
import MLCCore

/// The path of a committed fixture.
func fixture(_ name: String) -> String {
  Bundle.module.resourceURL!.appendingPathComponent("Fixtures").appendingPathComponent(name).path
}

func fixtureBytes(_ name: String) throws(Diagnostic) -> [UInt8] {
  let file = try MappedFile(path: fixture(name))
  defer { withExtendedLifetime(file) {} }
  return Array(file.bytes)
}

func storage(_ bytes: [UInt8]) -> Storage {
  Storage(byteCount: bytes.count) { $0.copyBytes(from: bytes) }
}

/// Runs `body` with the path of a new empty folder and removes it afterwards.
func withFolder<R>(_ body: (String) throws -> R) throws -> R {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tensor-io-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder.path)
}

/// The id of the diagnostic that `body` throws; `nil` when it throws none.
func diagnosticID(_ body: () throws(Diagnostic) -> Void) -> String? {
  do { try body() } catch { return error.id.rawValue }
  return nil
}

/// Every prefix and `flips` seeded changes of one byte, after the bytes themselves have been read well.
func mutations(of bytes: [UInt8], flips: Int) -> [[UInt8]] {
  var generator = SplitMix64(state: 42)
  var all = bytes.indices.map { Array(bytes[..<$0]) }
  for _ in 0..<flips {
    var changed = bytes
    changed[Int.random(in: bytes.indices, using: &generator)] ^= UInt8.random(in: 1...255, using: &generator)
    all.append(changed)
  }
  return all
}

/// A generator with a seed, so that a failure can be repeated.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
