import ArgumentParser
import MLCCore
import MLCTensorIO

/// How class scores, the first output, are read.
struct LabelOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Names of the classes, one a line: a file, or an entry of the model's metadata.",
      valueName: "FILE|metadata:KEY"
    ),
    completion: .file()
  )
  var labels: String?

  @Flag(help: "Decode the classes of successive columns as a line of text; class 0 is the blank.")
  var ctc = false

  @Option(help: ArgumentHelp("Print the N best classes of each row.", valueName: "N"))
  var top: Int?

  /// Scores in words.
  enum Reading {
    case lines([CTCDecoder.Line])
    case classes([[(label: String, index: Int, score: Double)]])

    var text: ConsoleText {
      switch self {
      case .lines(let lines): ConsoleText(document: lines.map { $0.text }.joined(separator: "\n"))
      case .classes(let rows):
        rows.map { row -> ConsoleText in
          var table = Table(["class", "index", "score"], right: [1, 2], cut: [0])
          for entry in row { table.add([entry.label, "\(entry.index)", entry.score.fixed(4)]) }
          return table.text
        }.joined(separator: "\n\n")
      }
    }

    var json: [String: JSON] {
      switch self {
      case .lines(let lines):
        [
          "lines": .array(
            lines.map { .object(["text": .string($0.text), "confidence": .rounded($0.confidence, 6)]) }
          )
        ]
      case .classes(let rows):
        [
          "classes": .array(
            rows.map { row in
              .array(
                row.map {
                  .object(["label": .string($0.label), "index": .integer($0.index), "score": .number($0.score)])
                }
              )
            }
          )
        ]
      }
    }
  }

  /// Refuses what is wrong whatever the model is. Throws `labels.missing`, `labels.top`, `labels.encoding`, and what
  /// opening the file throws.
  func check() throws(Diagnostic) {
    if ctc, labels == nil {
      throw Diagnostic("labels.missing", "--ctc needs --labels FILE or --labels metadata:KEY", kind: .usage)
    }
    if let top, top < 1 { throw Diagnostic("labels.top", "--top takes a number above 0", kind: .usage) }
    if let labels, !labels.hasPrefix(LabelOptions.metadata) { _ = try LabelOptions.lines(of: labels) }
  }

  /// Of the scores of the model's classes, or of the first output where it names none. `nil` when neither text nor
  /// classes are asked for and the model is no classifier. Throws `labels.missing`, `labels.shape` and what decoding
  /// throws.
  func reading(
    of outputs: [(name: String, tensor: Tensor)],
    _ features: Features,
    metadata: [String: String]
  ) throws(Diagnostic) -> Reading? {
    let own = features.classLabels
    guard ctc || top != nil || labels != nil || own != nil else { return nil }
    let names = try self.names(metadata) ?? own?.texts
    let name = own == nil || ctc ? nil : features.classifier?.probabilities
    let scores = (outputs.first { $0.name == name } ?? outputs.first)?.tensor
    let isOwn = name != nil && names?.count == scores?.count
    guard let scores, let width = isOwn ? scores.count : scores.shape.last, scores.dtype.isFloat else {
      throw Diagnostic("labels.shape", "the first output has no scores of classes along its last axis")
    }
    if ctc {
      guard let names else { preconditionFailure("`check` refuses --ctc without --labels") }
      return .lines(try CTCDecoder(labels: names, classes: width).lines(scores))
    }
    if let names, names.count != width {
      throw Diagnostic("labels.count", "\(names.count) labels for \(width) classes", kind: .usage)
    }
    guard width > 0 else { return .classes([]) }
    let (values, top) = (scores.doubles, top ?? 5)
    let rows = stride(from: 0, to: values.count, by: width).map { start in
      (0..<width).sorted { values[start + $0] > values[start + $1] }.prefix(top).map { index in
        (label: names?[index] ?? "\(index)", index: index, score: values[start + index])
      }
    }
    return .classes(rows)
  }

  private func names(_ metadata: [String: String]) throws(Diagnostic) -> [String]? {
    guard let labels else { return nil }
    if labels.hasPrefix(LabelOptions.metadata) {
      let key = String(labels.dropFirst(LabelOptions.metadata.count))
      guard let text = metadata[key] else {
        let known = metadata.isEmpty ? "it has none" : "it has \(quotedList(metadata.keys.sorted()))"
        throw Diagnostic("labels.missing", "the model's metadata has no '\(key)'; \(known)", kind: .usage)
      }
      return LabelOptions.lines(text)
    }
    return try LabelOptions.lines(of: labels)
  }

  private static let metadata = "metadata:"

  static func lines(of path: String) throws(Diagnostic) -> [String] {
    let file = try MappedFile(path: path)
    guard let text = withExtendedLifetime(file, { String(validating: file.bytes, as: UTF8.self) }) else {
      throw Diagnostic("labels.encoding", "the labels are not UTF-8", at: Location(file: path))
    }
    return lines(text)
  }

  /// Lines end at line feeds only: an alphabet may hold every other separator as a character.
  private static func lines(_ text: String) -> [String] {
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(String.UnicodeScalarView(line.last == "\r" ? line.dropLast() : line))
    }
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}
