import Foundation
import MLCFormatCoreML
import Testing

/// The builder's operators are those of the table; `MLC_WRITE_PAGES=1` writes them.
@Test func builderHasTheOperatorsOfTheTable() throws {
  let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
    .appending(path: "Sources/MILBuilder/Operators.swift")
  if ProcessInfo.processInfo.environment["MLC_WRITE_PAGES"] == "1" {
    try MILBuilderCode.text.write(to: path, atomically: true, encoding: .utf8)
  }
  #expect(try String(contentsOf: path, encoding: .utf8) == MILBuilderCode.text, "write it with MLC_WRITE_PAGES=1")
}
