import Foundation
import FoundationXML
import Testing

/// `mlc inspect --svg`: a well-formed picture with a box for everything that is no constant, none upon another.
@Suite struct DrawingTests {
  @Test func everyNodeHasABoxOfItsOwn() throws {
    let root = MLCProcess.fixtures.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    for model in [MLCProcess.fixture("classifier.onnx"), root.appending(path: ".cache/models/silero-vad.onnx").path()] {
      let run = try MLCProcess("inspect", model, "--svg", "--unfolded")
      #expect(run.status == 0 && run.errors.isEmpty)
      let picture = try Picture(run.output)
      let counts = try MLCProcess("inspect", model, "--json").json()
      let operations = try #require(counts["operators"] as? [String: Int]).values.reduce(0, +)
      let ports = ["inputs", "outputs"].compactMap { (counts[$0] as? [Any])?.count }.reduce(0, +)
      #expect(picture.boxes.count == operations + ports && picture.arrows >= operations)
      expectRoom(picture)
    }
  }

  /// Repeated blocks are one box each, and what is high is set in columns.
  @Test func largeNetworksFitAPage() throws {
    let run = try MLCProcess("inspect", zoo("gpt2_decode_256"), "--svg")
    #expect(run.status == 0 && run.output.contains("12 × 36 operations"))
    let picture = try Picture(run.output)
    #expect(picture.boxes.count < 100)
    expectRoom(picture)
    let whole = try Picture(try MLCProcess("inspect", zoo("resnet50"), "--svg", "--unfolded").output)
    #expect(whole.boxes.count == 124 && whole.size.height < 2 * whole.size.width)
    expectRoom(whole)
  }

  private func zoo(_ name: String) -> String { MLCProcess.root.appending(path: ".cache/zoo/\(name).onnx").path() }

  /// No box leaves the picture or lies upon another.
  private func expectRoom(_ picture: Picture) {
    for (number, box) in picture.boxes.enumerated() {
      #expect(picture.size.contains(box))
      #expect(!picture.boxes[..<number].contains { $0.intersects(box) }, "\(box)")
    }
  }

  @Test func onlySourceModelsAreDrawn() throws {
    let unfolded = try MLCProcess("inspect", MLCProcess.fixture("classifier.onnx"), "--unfolded")
    #expect(unfolded.status == 2 && unfolded.errors.contains("[inspect.flags]"))
    let both = try MLCProcess("inspect", MLCProcess.fixture("classifier.onnx"), "--svg", "--text")
    #expect(both.status == 2 && both.errors.contains("exclude each other [inspect.flags]"))
    let tensors = try MLCProcess("inspect", MLCProcess.fixture("classifier.npz"), "--svg")
    #expect(tensors.status == 2 && tensors.errors.contains("[inspect.no-graph]"))
  }

  /// What an SVG reader sees of the picture.
  private final class Picture: NSObject, XMLParserDelegate {
    var boxes: [CGRect] = [], arrows = 0, size = CGRect.zero

    init(_ text: String) throws {
      super.init()
      let parser = XMLParser(data: Data(text.utf8))
      parser.delegate = self
      guard parser.parse() else { throw try #require(parser.parserError) }
    }

    func parser(
      _ parser: XMLParser,
      didStartElement name: String,
      namespaceURI: String?,
      qualifiedName: String?,
      attributes: [String: String]
    ) {
      func number(_ key: String) -> Double { attributes[key].flatMap { Double($0) } ?? .nan }
      switch name {
      case "svg":
        let frame = (attributes["viewBox"] ?? "").split(separator: " ").compactMap { Double($0) }
        if frame.count == 4 { size = CGRect(x: frame[0], y: frame[1], width: frame[2], height: frame[3]) }
      case "rect":
        boxes.append(CGRect(x: number("x"), y: number("y"), width: number("width"), height: number("height")))
      case "path" where attributes["marker-end"] != nil: arrows += 1
      default: break
      }
    }
  }
}
