import Foundation
import MLCGraph
import MLCImportONNX
import MLCOps
import Testing

/// What exists in one place exists in the others.
@Suite struct CompletenessTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private func swiftFiles(_ folder: String) throws -> Set<String> {
    let path = Self.root.appendingPathComponent(folder).path
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    return Set(names.filter { $0.hasSuffix(".swift") && !$0.contains("+") }.map { String($0.dropLast(6)) })
  }

  /// Operators with blocks are played in `RegionTests`: a case has no place for blocks.
  @Test func everyOperatorHasCases() {
    let played = Set(OperatorCase.all.map { type(of: $0.op).name })
    let missing = OperatorSet.standard.filter { !($0 is any RegionOperator.Type) }.map { $0.name }
      .filter { !played.contains($0) }
    #expect(missing.isEmpty)
  }

  @Test func operatorNamesAreUnique() {
    var seen: Set<String> = []
    #expect(OperatorSet.standard.map { $0.name }.filter { !seen.insert($0).inserted } == [])
  }

  @Test func onnxTableAndFilesAgree() throws {
    let files = try swiftFiles("Converters/ONNX/Operators")
    let spelled = ONNXOperatorTable.types.map { "\($0)" } + ONNXOperatorTable.valueTypes.map { "\($0)" }
    let types = Set(spelled.map { String($0.dropFirst("ONNX".count)) })
    #expect(types.symmetricDifference(files).sorted() == [])
    let names = ONNXOperatorTable.rules.flatMap { rule in rule.types.map { "\(rule.domain)::\($0)" } }
    #expect(Set(names).count == names.count, "an operator has two rules")
    let page = try String(contentsOf: Self.root.appending(path: "Specs/Manual/Models.md"), encoding: .utf8)
    #expect(page.contains("[\(names.count) operator types](../../Converters/ONNX/ONNXOperatorTable.swift)"))
  }

  /// The table of the manual is the importer's; with `MLC_RECORD_OPERATORS` set it is written.
  @Test func manualListsONNXOperators() throws {
    let file = Self.root.appending(path: "Specs/Manual/Models.md")
    let page = try String(contentsOf: file, encoding: .utf8)
    let lines = [ONNXOperatorTable.markdownHeader] + ONNXOperatorTable.entries.map { $0.markdown }
    let table = lines.joined(separator: "\n") + "\n"
    let start = try #require(page.range(of: ONNXOperatorTable.markdownHeader)).lowerBound
    if ProcessInfo.processInfo.environment["MLC_RECORD_OPERATORS"] != nil {
      try (page[..<start] + table).write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(String(page[start...]) == table)
    }
    let known = Set(OperatorSet.standard.map { $0.name })
    for entry in ONNXOperatorTable.entries where entry.becomes != "composition" && entry.becomes != "const" {
      let named = entry.becomes.split(separator: ",").map { String($0.drop { $0 == " " }) }
      #expect(named.filter { !known.contains($0) } == [], "\(entry.type)")
    }
  }
}
