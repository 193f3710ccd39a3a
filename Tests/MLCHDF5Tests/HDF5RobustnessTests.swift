import Foundation
import MLCCore
import MLCHDF5
import Testing

@Suite struct HDF5RobustnessTests {
  private func temporary(_ data: Data) throws -> URL {
    let url = FileManager.default.temporaryDirectory.appending(path: "mlc-\(UUID().uuidString).h5")
    try data.write(to: url)
    return url
  }

  @Test func whatIsNoHDF5() throws {
    for data in [Data(), Data("PK".utf8), Data(repeating: 0, count: 4096)] {
      let url = try temporary(data)
      defer { try? FileManager.default.removeItem(at: url) }
      #expect(problem { _ = try HDF5File.read(url.path(), data: true, helper: Fixture.helper) } == "hdf5.damaged")
    }
    #expect(problem { _ = try HDF5File.read("/nowhere.h5", data: true, helper: Fixture.helper) } == "file.open")
  }

  @Test func cutShort() throws {
    let data = try Data(contentsOf: URL(filePath: try Fixture.path("types.h5")))
    let url = try temporary(data.prefix(data.count / 2))
    defer { try? FileManager.default.removeItem(at: url) }
    #expect(problem { _ = try HDF5File.read(url.path(), data: true, helper: Fixture.helper) } == "hdf5.damaged")
  }

  /// 32 GiB of zeros in a few kilobytes; groups nested 80 deep.
  @Test func beyondAnyModel() throws {
    #expect(problem { _ = try Fixture.read("bomb.h5") } == "hdf5.limit")
    #expect(try Fixture.read("bomb.h5", data: false)["/bomb"]?.dataset?.shape == [1 << 33])
    #expect(problem { _ = try Fixture.read("deep.h5") } == "hdf5.limit")
  }

  @Test func childThatIsNone() throws {
    for executable in ["/nowhere/mlc", "/bin/false"] {
      let helper = HDF5Helper(executable: executable)
      #expect(
        problem { _ = try HDF5File.read(try Fixture.path("types.h5"), data: true, helper: helper) } == "hdf5.child"
      )
    }
  }

  /// A program that does nothing leaves an empty extraction.
  @Test func extractionThatIsNone() throws {
    let helper = HDF5Helper(executable: "/bin/true")
    #expect(
      problem { _ = try HDF5File.read(try Fixture.path("types.h5"), data: true, helper: helper) } == "hdf5.extraction"
    )
  }

  /// A process that reads nothing for longer than it may.
  @Test func childThatDoesNotEnd() throws {
    let script = FileManager.default.temporaryDirectory.appending(path: "mlc-\(UUID().uuidString).sh")
    defer { try? FileManager.default.removeItem(at: script) }
    try Data("#!/bin/sh\nsleep 600\n".utf8).write(to: script)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: script.path())
    let helper = HDF5Helper(executable: script.path())
    #expect(problem { _ = try HDF5File.read(try Fixture.path("types.h5"), data: true, helper: helper) } == "hdf5.limit")
  }

  /// Extractions are checked as the files are: no offset, length or shape in them is trusted.
  @Test func extractionsThatLie() throws {
    let good =
      #"{"objects":[{"path":"/","kind":"group"},{"path":"/x","kind":"dataset","type":"float32","shape":[2],"#
      + #""storage":"contiguous","filters":[],"dtype":"fp32","source":"file","offset":0,"length":8}]}"#
    #expect(problem(extraction(good)) == nil)
    let lies = [
      (#""offset":0"#, #""offset":-8"#, "hdf5.extraction"), (#""offset":0"#, #""offset":60"#, "hdf5.damaged"),
      (#""length":8"#, #""length":4"#, "hdf5.extraction"), ("[2]", "[-2]", "hdf5.extraction"),
      ("[2]", "[4611686018427387904, 4]", "hdf5.extraction"), (#""fp32""#, #""string""#, "hdf5.extraction"),
      (#""file""#, #""/etc/passwd""#, "hdf5.extraction"), (#""/x""#, "1", "hdf5.extraction"),
      (#"{"objects""#, #"{"problem":{"id":"x","message":"y"},"objects""#, "hdf5.extraction"),
    ]
    for (part, lie, id) in lies {
      let found = problem(extraction(good.replacingOccurrences(of: part, with: lie)))
      #expect(found == id || found == "hdf5.damaged" && part == #""offset":0"#, "\(lie): \(found ?? "accepted")")
    }
  }

  private func problem(_ extraction: [UInt8]) -> String? {
    let source = Storage(byteCount: 64) { _ in }
    let bytes = Storage(byteCount: extraction.count) { $0.copyBytes(from: extraction) }
    do throws(Diagnostic) { _ = try ExtractionReader(extraction: bytes, source: source).file() } catch {
      return error.id.rawValue
    }
    return nil
  }

  private func extraction(_ directory: String) -> [UInt8] {
    var bytes = Array("mlchdf5\n".utf8)
    for number in [1, 64, UInt64(directory.utf8.count)] {
      bytes += withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
    return bytes + [UInt8](repeating: 0, count: 64 - bytes.count) + Array(directory.utf8)
  }

  private func problem(_ body: () throws -> Void) -> String? {
    do { try body() } catch { return (error as? Diagnostic)?.id.rawValue }
    return nil
  }
}
