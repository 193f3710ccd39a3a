import Foundation
import Testing

/// Rules for sources that the formatter does not hold.
@Suite struct SourceTests {
  /// Comments and texts too; not what a generator wrote.
  @Test func linesHave120ColumnsAtMost() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL
    var (count, long): (Int, [String]) = (0, [])
    for folder in ["Sources", "Converters", "Specs", "Tests", "Examples"] {
      let files = FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil)
      while let file = files?.nextObject() as? URL {
        let path = file.path()
        guard ["swift", "c", "h"].contains(file.pathExtension), !path.hasSuffix(".pb.swift"),
          !path.contains("/Golden/"), !path.contains("/.build/")
        else { continue }
        count += 1
        let text = try String(contentsOf: file, encoding: .utf8)
        for (number, line) in text.components(separatedBy: "\n").enumerated() where line.count > 120 {
          long.append("\(path.dropFirst(root.path().count)):\(number + 1)")
        }
      }
    }
    #expect(count > 800)
    #expect(long.isEmpty, "\(long.joined(separator: "\n"))")
  }
}
