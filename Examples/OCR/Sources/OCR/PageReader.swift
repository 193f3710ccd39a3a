import CoreML

/// The two models together: one finds lines of text, the other reads each of them.
struct PageReader {
  struct Line {
    var text: String
    /// The mean probability of the characters, 0 … 1.
    var confidence: Float
    var box: RotatedBox
  }

  private let finder: LineFinder
  private let reader: LineReader

  static func load() async throws -> PageReader {
    PageReader(
      finder: LineFinder(model: try await TextDetector.load()),
      reader: try LineReader(model: try await TextRecogniser.load())
    )
  }

  /// The lines of `page` from top to bottom, those side by side from left to right; what the recogniser takes for no
  /// text is left out.
  func lines(of page: Picture) throws -> [Line] {
    let boxes = Self.inReadingOrder(try finder.boxes(in: page))
    let texts = try reader.read(boxes.map { page.crop($0, height: LineReader.height) })
    return zip(boxes, texts).compactMap { box, text in
      text.text.isEmpty || text.confidence < 0.5 ? nil : Line(text: text.text, confidence: text.confidence, box: box)
    }
  }

  /// Boxes whose centres are less than half a line apart count as one row.
  private static func inReadingOrder(_ boxes: [RotatedBox]) -> [RotatedBox] {
    var rows: [[RotatedBox]] = []
    for box in boxes.sorted(by: { $0.centre.y < $1.centre.y }) {
      if let first = rows.last?.first, box.centre.y - first.centre.y < min(first.height, box.height) / 2 {
        rows[rows.count - 1].append(box)
      } else {
        rows.append([box])
      }
    }
    return rows.flatMap { $0.sorted { $0.centre.x < $1.centre.x } }
  }
}
