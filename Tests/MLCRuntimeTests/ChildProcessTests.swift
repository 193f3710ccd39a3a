import Foundation
import MLCCore
import MLCRuntime
import Testing

@Suite struct ChildProcessTests {
  @Test func answersStatusAndMessages() throws {
    let script = "echo out; echo problem >&2; exit 3"
    let (status, messages) = try ChildProcess.run(["/bin/sh", "-c", script])
    #expect(status == 3 && messages == "problem\n")
    #expect(try ChildProcess.run(["/bin/sh", "-c", "kill -9 $$"]).status == 128 + 9)
    // More than a pipe holds, of which the first part is kept.
    let long = try ChildProcess.run(["/bin/sh", "-c", "head -c 1000000 /dev/zero | tr '\\0' x >&2"])
    #expect(long.status == 0 && (1 << 16..<1 << 17).contains(long.messages.utf8.count))
  }

  @Test func saysWhatCannotBeRun() {
    #expect { try ChildProcess.run(["/nowhere/program"]) } throws: {
      ($0 as? Diagnostic)?.id == "runtime.process" && ($0 as? Diagnostic)?.kind == .environment
    }
  }
}

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
