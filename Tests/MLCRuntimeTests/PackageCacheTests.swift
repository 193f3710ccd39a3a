import Foundation
import MLCCore
import MLCRuntime
import Testing

@Suite struct PackageCacheTests {
  private let folder = NSTemporaryDirectory() + "mlc-cache-\(UUID().uuidString)"

  @Test func makesItsFolderAndClearsOnlyItsOwn() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let cache = PackageCache(folder: folder + "/a/b")
    let key = String(repeating: "0", count: 64)
    try cache.exclusively(key) { () throws(Diagnostic) in }
    for name in ["\(key).mlmodelc", "notes.mlmodelc"] {
      try FileManager.default.createDirectory(atPath: "\(cache.folder)/\(name)", withIntermediateDirectories: true)
    }
    #expect(cache.entries().map { $0.problem == nil } == [false, false])
    // What a compilation leaves that is killed.
    try FileManager.default.createDirectory(
      atPath: "\(cache.folder)/.mlc-0123456789abc.tmp/new",
      withIntermediateDirectories: true
    )
    #expect(cache.clear() == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache.folder) == ["notes.mlmodelc"])
  }

  @Test func saysWhyItCannotBeUsed() throws {
    try Data().write(to: URL(filePath: folder))
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect { try PackageCache(folder: folder + "/x").exclusively("k") { () throws(Diagnostic) in } } throws: {
      ($0 as? Diagnostic)?.id == "runtime.cache"
    }
  }
}
