import Foundation
import MLCCore
import Testing

@Suite struct MappedFileTests {
  /// Few pages are in the process at once when `prefetch` returns, many soon after.
  @Test(arguments: [1 << 20, 40 << 20]) func prefetchedPagesAreThere(_ count: Int) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "mlc-mapped-\(UUID().uuidString)").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(repeating: 7, count: count).write(to: URL(filePath: path))
    let file = try MappedFile(path: path)
    #expect(try residentBytes(path) == 0)
    file.prefetch()
    for _ in 0..<600 where try residentBytes(path) < count { usleep(10_000) }
    #expect(try residentBytes(path) == count)
    withExtendedLifetime(file) {}
  }

  /// How much of the mapping of `path` this process has, as `/proc/self/smaps` tells.
  private func residentBytes(_ path: String) throws -> Int {
    let maps = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/smaps")).readToEnd() ?? Data()
    let lines = String(decoding: maps, as: UTF8.self).split(separator: "\n")
    guard let start = lines.firstIndex(where: { $0.hasSuffix(path) }),
      let resident = lines[start...].first(where: { $0.hasPrefix("Rss:") }),
      let kibibytes = resident.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { throw CocoaError(.fileReadUnknown) }
    return kibibytes << 10
  }
}
