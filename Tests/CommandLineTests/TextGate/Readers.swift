import Foundation
import FoundationXML
import MLCTargetC
import Testing

/// What the readers of each language see of a text.
enum Readers {
  /// The tokens of a C file, as clang has them before it looks at their meaning; string literals without their
  /// contents.
  static func tokens(ofC path: String) throws -> [String] {
    let text = try output(
      of: try CCompiler.find().path,
      ["-std=gnu11", "-trigraphs", "-fsyntax-only", "-w", "-Xclang", "-dump-tokens", path]
    )
    return text.split(separator: "\n").map { line in
      if line.hasPrefix("string_literal ") { return "string_literal" }
      return line.split(separator: "\t", maxSplits: 1).first.map { String($0) } ?? ""
    }
  }

  /// The kinds of the nodes of a Swift file's syntax, in the parser's order.
  static func syntax(ofSwift path: String) throws -> [String] {
    let compiler = try #require(search("swiftc"), "there is no swiftc")
    let text = try output(of: compiler, ["-frontend", "-dump-parse", path])
    return text.split(separator: "\n").compactMap { line in
      let content = line.drop { $0 == " " }
      guard content.hasPrefix("(") else { return nil }
      return "\(line.count - content.count) \(content.dropFirst().prefix { $0.isLetter || $0 == "_" })"
    }
  }

  /// The elements of a document, in order, each with its depth. Throws when it is not well-formed XML.
  static func elements(ofXML text: String) throws -> [String] {
    let reader = ElementReader()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = reader
    guard parser.parse() else { throw try #require(parser.parserError) }
    return reader.elements
  }

  private final class ElementReader: NSObject, XMLParserDelegate {
    var elements: [String] = [], depth = 0

    func parser(
      _ parser: XMLParser,
      didStartElement name: String,
      namespaceURI: String?,
      qualifiedName: String?,
      attributes: [String: String]
    ) {
      depth += 1
      elements.append("\(depth) \(name) \(attributes.keys.sorted())")
    }
    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
      depth -= 1
    }
  }

  /// The characters that a terminal obeys or hides: controls besides line feeds and tabs, marks of direction, invisible
  /// ones.
  static func commands(toTerminal text: String) -> Set<UInt32> {
    let obeyed: [ClosedRange<UInt32>] = [
      0...8, 0xb...0x1f, 0x7f...0x9f, 0xad...0xad, 0x61c...0x61c, 0x180e...0x180e, 0x200b...0x200f, 0x2028...0x202e,
      0x2060...0x206f, 0x3164...0x3164, 0xfe00...0xfe0f, 0xfeff...0xfeff, 0xfff0...0xffff, 0xe0000...0x10ffff,
    ]
    var found: Set<UInt32> = []
    for scalar in text.unicodeScalars where scalar != "\n" && scalar != "\t" {
      if (0x20..<0x7f).contains(scalar.value) { continue }
      if obeyed.contains(where: { $0.contains(scalar.value) }) { found.insert(scalar.value) }
    }
    return found
  }

  private static func search(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// What the program prints on standard output, and on the other one after it. It must succeed.
  private static func output(of program: String, _ arguments: [String]) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: "mlc-read-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = ["out", "err"].map { folder.appending(path: $0) }
    for file in files { try Data().write(to: file) }
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    try process.run()
    process.waitUntilExit()
    let text = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }.joined(separator: "\n")
    #expect(process.terminationStatus == 0, "\(program): \(text.suffix(2000))")
    return text
  }
}
