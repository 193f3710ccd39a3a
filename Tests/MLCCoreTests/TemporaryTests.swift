import Foundation
import MLCCore
import Testing

@Suite struct TemporaryTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "mlc-temporary-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false) }

  private func remove() { try? FileManager.default.removeItem(at: folder) }
  private func path(_ name: String) -> String { folder.appending(path: name).path() }
  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted() }
  }
  private func makeTree(_ path: String, _ text: String) throws {
    try FileManager.default.createDirectory(atPath: "\(path)/a/b", withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: "\(path)/a/b/file"))
  }
  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(path(name))/a/b/file", encoding: .utf8)
  }

  @Test func goesWithItsLastUser() throws {
    defer { remove() }
    do {
      let temporary = try Temporary(beside: path("result"))
      #expect(try names == [URL(filePath: temporary.path).lastPathComponent])
      try makeTree(temporary.path, "x")
    }
    #expect(try names.isEmpty)
  }

  /// Those of processes that are gone, and no others: not one that is in use, not what only looks alike.
  @Test func takesWhatNobodyOwns() throws {
    defer { remove() }
    let used = try Temporary(in: folder.path())
    let alike = [".mlc-short.tmp", ".mlc-0123456789ABC.tmp", "mlc-0123456789abc.tmp", ".mlc-0123456789abc.tmp~"]
    for name in alike + [".mlc-0123456789abc.tmp", ".mlc-zzzzzzzzzzzzz.tmp"] { try makeTree(path(name), "x") }
    try FileManager.default.createSymbolicLink(
      atPath: path(".mlc-aaaaaaaaaaaaa.tmp"),
      withDestinationPath: path(alike[0])
    )
    let other = try Temporary(in: folder.path())
    let kept = alike + [used.path, other.path].map { URL(filePath: $0).lastPathComponent } + [".mlc-aaaaaaaaaaaaa.tmp"]
    #expect(try names == kept.sorted())
    #expect(try text(alike[0]) == "x")
  }

  @Test func publishesInPlaceOfWhatIsThere() throws {
    defer { remove() }
    for word in ["first", "second"] {
      let temporary = try Temporary(beside: path("tree"))
      try makeTree("\(temporary.path)/new", word)
      try temporary.publish("new", as: path("tree"))
      #expect(try text("tree") == word)
      try AtomicFile.write(word, to: path("file"))
      #expect(try String(contentsOfFile: path("file"), encoding: .utf8) == word)
    }
    #expect(try names == ["file", "tree"])
  }

  /// A file takes no folder's place, and no device's.
  @Test func refusesToReplaceOtherThings() throws {
    defer { remove() }
    try makeTree(path("tree"), "precious")
    mkfifo(path("pipe"), 0o600)
    for name in ["tree", "pipe", "missing/file"] {
      for write in [{ try AtomicFile.write("x", to: $0) }, { try AtomicFile.check($0) }] as [(String) throws -> Void] {
        #expect { try write(path(name)) } throws: { ($0 as? Diagnostic)?.id == "file.write" }
      }
    }
    let temporary = try Temporary(beside: path("tree"))
    try Data().write(to: URL(filePath: "\(temporary.path)/new"))
    #expect { try temporary.publish("new", as: path("tree")) } throws: { ($0 as? Diagnostic)?.id == "file.rename" }
    #expect(try text("tree") == "precious")
  }

  @Test func opensRegularFilesOnlyAndWaitsForNone() throws {
    defer { remove() }
    mkfifo(path("pipe"), 0o600)
    try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: path("pipe"))
    for place in [path("pipe"), path("link"), folder.path(), "/dev/zero", "/dev/null"] {
      #expect { _ = try MappedFile(path: place) } throws: { ($0 as? Diagnostic)?.id == "file.not-a-file" }
    }
    #expect { _ = try MappedFile(path: path("missing")) } throws: {
      ($0 as? Diagnostic)?.id == "file.open" && ($0 as? Diagnostic)?.kind == .badModel
    }
  }

  @Test func parallelForCallsEachOnce() {
    for count in [0, 1, 2, 3, 1000] {
      let counts = UnsafeMutableBufferPointer<Int>.allocate(capacity: max(count, 1))
      defer { counts.deallocate() }
      counts.initialize(repeating: 0)
      nonisolated(unsafe) let places = counts  // each index is one call's
      parallelFor(count) { places[$0] += $0 + 1 }
      #expect(counts.prefix(count).elementsEqual(1..<(count + 1)))
    }
  }
}
