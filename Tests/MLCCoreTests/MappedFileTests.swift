import Foundation
import MLCCore
import Testing

@Suite struct MappedFileTests {
  /// Few pages are in the process at once when `prefetch` returns, many soon after.
  @Test(arguments: [1 << 20, 40 << 20]) func prefetchedPagesAreThere(_ count: Int) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "mlc-mapped-\(UUID().uuidString)").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try write(count, to: path)
    let file = try MappedFile(path: path)
    #expect(try residentBytes(path) == 0)
    file.prefetch()
    var resident = try residentBytes(path)
    for _ in 0..<600 {
      if resident >= count { break }
      usleep(10_000)
      resident = try residentBytes(path)
    }
    #expect(resident == count)
    withExtendedLifetime(file) {}
  }

  /// Rows of a table are brought in one by one.
  @Test func gatheredPartsStayAway() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "mlc-mapped-\(UUID().uuidString)").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let megabyte = 1 << 20
    try write(12 * megabyte, to: path)
    let file = try MappedFile(path: path)
    let table = megabyte + 1..<9 * megabyte - 1
    file.prefetch(except: [table, 9 * megabyte - 1..<9 * megabyte, 20 * megabyte..<Int.max])
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    // The system may bring some neighbours of a page in with it.
    let others = 4 * megabyte + 2 * page
    #expect(try (others...others + megabyte / 2).contains(residentBytes(path)))
    #expect(file.bytes[5 * megabyte] == 7)
    // Some kernels map what the page cache holds as one huge page.
    #expect(try residentBytes(path) <= others + 5 * megabyte / 2)
    withExtendedLifetime(file) {}
  }

  /// What is on its way to the disk is locked, and not mapped with its neighbours: the file is there when this returns.
  private func write(_ count: Int, to path: String) throws {
    try Data(repeating: 7, count: count).write(to: URL(filePath: path))
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.synchronize()
    try file.close()
  }

  /// How much of the mappings of `path` this process has, as `/proc/self/smaps` tells, among thousands.
  private func residentBytes(_ path: String) throws -> Int {
    let maps = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/smaps")).readToEnd() ?? Data()
    var (kibibytes, rest) = (0, maps.startIndex..<maps.endIndex)
    while let header = maps.range(of: Data("\(path)\n".utf8), in: rest),
      let figure = maps.range(of: Data("Rss:".utf8), in: header.upperBound..<rest.upperBound)
    {
      let digits = maps[figure.upperBound...].drop { $0 == UInt8(ascii: " ") }.prefix { $0 != UInt8(ascii: " ") }
      kibibytes += Int(String(decoding: digits, as: UTF8.self)) ?? 0
      rest = figure.upperBound..<rest.upperBound
    }
    return kibibytes << 10
  }
}
