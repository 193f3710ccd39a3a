import Foundation
import MLCGraph
import MLCOps
import Testing

/// An operator stands in the same group everywhere: its definition, its lowering, its gradient, its cases, its form in
/// Core ML.
@Suite struct OperatorGroupTests {
  private let groups: OperatorGroups
  private let typeNames: [String: String]

  init() throws {
    groups = try OperatorGroups()
    typeNames = Dictionary(uniqueKeysWithValues: OperatorSet.standard.map { ($0.name, "\($0)") })
  }

  @Test func definitions() {
    var types = Set(OperatorSet.standard.map { "\($0)" })
    #expect(types.remove("Const") != nil)
    #expect(types.symmetricDifference(groups.ofOperator.keys).sorted() == [])
    #expect(groups.names.count > 12)
  }

  @Test(arguments: ["Sources/MLCKernels/Lowerings", "Sources/MLCGradients/Operators", "Converters/CoreML/Operators"])
  func extensions(_ folder: String) throws {
    var (count, problems): (Int, [String]) = (0, [])
    for file in try files(folder, &problems) {
      let ability = /(?m)^extension (?:MLCOps\.)?(\w+): [\w, ]*(?:Lowerable|MIL|Differentiable|Composite|OrderKeeping)/
      for match in try file.text().matches(of: ability) {
        let type = String(match.output.1)
        guard let group = groups.ofOperator[type] else { continue }
        count += 1
        if group != file.group { problems.append("\(type) is in \(file.url.path()), and of \(group)") }
      }
    }
    #expect(count > 20)
    #expect(problems == [])
  }

  @Test func cases() throws {
    var (seen, problems): (Set<String>, [String]) = ([], [])
    for file in try files("Tests/OperatorSuite/Cases", suffix: "Cases", &problems) {
      for match in try file.text().matches(of: /"([a-z][a-z0-9_]*)\.[a-z0-9]/) {
        guard let type = typeNames[String(match.output.1)] else { continue }
        seen.insert(type)
        // Constants are the graph's own; MIL has them among control flow.
        let group = type == "Const" ? "ControlFlow" : groups.ofOperator[type]
        if group != file.group { problems.append("\(type) is in \(file.url.path()), and of \(group ?? "no group")") }
      }
    }
    #expect(seen.count > 100)
    #expect(problems == [])
  }

  /// The files below `folder`; those in a group are called after it, or after an operator or a family of it.
  private func files(_ folder: String, suffix: String = "", _ problems: inout [String]) throws -> [SourceFile] {
    let files = try SourceFile.all(in: OperatorGroups.root.appending(path: folder))
    for file in files {
      guard let group = file.group else { continue }
      let name = file.stem.hasSuffix(suffix) ? String(file.stem.dropLast(suffix.count)) : file.stem
      if !groups.mayHold(name, group) { problems.append("\(file.url.path()) is called after nothing in \(group)") }
    }
    return files.filter { $0.group != nil }
  }
}
