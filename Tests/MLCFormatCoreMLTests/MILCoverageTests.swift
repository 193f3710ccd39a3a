import Foundation
import MLCFormatCoreML
import Testing

@Suite struct MILCoverageTests {
  /// `Specs/coreml/Operators.md` says what the tables say; with `MLC_WRITE_PAGES` in the environment it is written
  /// anew.
  @Test func pageIsCurrent() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let path = root.appending(path: "Specs/coreml/Operators.md")
    if ProcessInfo.processInfo.environment["MLC_WRITE_PAGES"] != nil {
      try MILCoverage.page.write(to: path, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: path, encoding: .utf8) == MILCoverage.page, "write it with MLC_WRITE_PAGES=1")
  }

  @Test func everyOperatorIsRead() { #expect(MILCoverage.missing.isEmpty, "\(MILCoverage.missing)") }
}
