import Foundation
import MLCFormatCoreML
import Testing

/// The builder's operators are those of the table; `MLC_WRITE_PAGES` in the environment has them written anew.
@Test func builderHasTheOperatorsOfTheTable() throws {
  let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources/MILBuilder/Operators")
  let files = MILBuilderCode.files
  if ProcessInfo.processInfo.environment["MLC_WRITE_PAGES"] != nil {
    for (group, text) in files {
      try text.write(to: folder.appending(path: "\(group).swift"), atomically: true, encoding: .utf8)
    }
  }
  let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
  #expect(names.sorted() == files.keys.map { "\($0).swift" }.sorted())
  for (group, text) in files {
    let written = try String(contentsOf: folder.appending(path: "\(group).swift"), encoding: .utf8)
    #expect(written == text, "write it with MLC_WRITE_PAGES=1")
  }
}
