import Foundation
import Testing

/// What a built module declares in public, as the compiler's tool for symbol graphs says.
struct SymbolGraph {
  /// How often each name, `MLModel.prediction(from:)`, is declared: overloads have one name.
  ///
  /// What overrides a member, or is the default of a requirement of the module's own, counts with what it stands for.
  private(set) var names: [String: Int] = [:]

  /// Of the modules, each in all the files that the tool writes for it.
  init(modules: [String]) throws {
    let folder = try Workspace()
    for module in modules { try SymbolGraph.extract(module, into: folder.url) }
    var (symbols, relations) = ([Symbol](), [Relation]())
    for file in try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil)
    where file.pathExtension == "json" {
      let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: file))
      symbols += graph.symbols
      relations += graph.relationships
    }
    let own = Set(symbols.map { $0.identifier.precise })
    let standing = relations.filter { relation in
      relation.kind == "overrides" || relation.kind == "defaultImplementationOf" && own.contains(relation.target)
    }
    let repeated = Set(standing.map { $0.source })
    names =
      symbols.filter { symbol in
        !repeated.contains(symbol.identifier.precise) && !symbol.identifier.precise.contains("::SYNTHESIZED::")
      }.map { $0.pathComponents.joined(separator: ".") }.counted
  }

  private static func extract(_ module: String, into folder: URL) throws {
    let maps = try FileManager.default.contentsOfDirectory(at: Sources.products, includingPropertiesForKeys: nil)
      .filter { $0.lastPathComponent.hasPrefix("C") && $0.pathExtension == "build" }
      .filter { !$0.lastPathComponent.hasSuffix("-tool.build") }
      .map { $0.appending(path: "module.modulemap").path() }.filter { FileManager.default.fileExists(atPath: $0) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      [
        "swift", "symbolgraph-extract", "-module-name", module, "-target", "\(machine)-unknown-linux-gnu", "-I",
        Sources.products.appending(path: "Modules").path(), "-output-dir", folder.path(), "-minimum-access-level",
        "public", "-skip-synthesized-members",
      ] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "there is no graph of \(module)")
  }

  private static var machine: String {
    #if arch(arm64)
      "aarch64"
    #else
      "x86_64"
    #endif
  }

  private struct Graph: Decodable { let symbols: [Symbol], relationships: [Relation] }
  private struct Symbol: Decodable {
    struct Identifier: Decodable { let precise: String }
    let identifier: Identifier, pathComponents: [String]
  }
  private struct Relation: Decodable { let kind: String, source: String, target: String }
}
