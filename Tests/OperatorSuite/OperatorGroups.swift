import Foundation

/// Where operators stand among the sources: the folders of MLCOps bear the names of MIL's groups.
struct OperatorGroups {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  /// Folders of MLCOps that hold no operators.
  private static let others: Set<String> = ["Building", "Einsum", "Support"]

  /// The group of each operator, by the name of its type.
  private(set) var ofOperator: [String: String] = [:]
  /// The protocols that operators of a group share.
  private(set) var families: [String: Set<String>] = [:]

  init() throws {
    let folder = Self.root.appending(path: "Sources/MLCOps")
    for file in try SourceFile.all(in: folder) {
      guard let group = file.group, !Self.others.contains(group) else { continue }
      if file.folders == [group, "Family"] {
        families[group, default: []].insert(file.stem)
      } else {
        ofOperator[file.stem] = group
      }
    }
  }

  var names: Set<String> { Set(ofOperator.values) }

  /// Whether a file of this name may stand in `group`: it is called after the group, one of its operators or families.
  func mayHold(_ name: String, _ group: String) -> Bool {
    name == group || ofOperator[name] == group || families[group]?.contains(name) ?? false
  }
}

/// A Swift file below a folder.
struct SourceFile {
  let url: URL
  /// The folders between.
  let folders: [String]

  var group: String? { folders.first }
  /// The name up to the theme: `Conv` of `Conv+Bias.swift`.
  var stem: String { String(url.deletingPathExtension().lastPathComponent.prefix { $0 != "+" }) }
  func text() throws -> String { try String(contentsOf: url, encoding: .utf8) }

  static func all(in folder: URL) throws -> [SourceFile] {
    let folder = folder.resolvingSymlinksInPath()
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var found: [SourceFile] = []
    while let url = files?.nextObject() as? URL {
      guard url.pathExtension == "swift" else { continue }
      let parts = url.resolvingSymlinksInPath().pathComponents.dropFirst(folder.pathComponents.count)
      found.append(SourceFile(url: url, folders: parts.dropLast()))
    }
    return found
  }
}
