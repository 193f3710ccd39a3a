import MLCCore
import MLCGraph
import MLCOps
import Testing

/// What ports are to applications, as text.
@Suite struct FeaturesTextTests {
  private func parse(_ features: String) throws(Diagnostic) -> Program {
    let text = """
      program {
        func @main(%x: fp32[1, 3, 4, 4], %"d.keys": string[n], %"d.values": fp64[n], %k: int64[m], %a: fp64[]) -> \
      ("p" = %p, "label" = %l)\(features) {
          %p = const {val = fp32[2](1.0, 2.0)} : fp32[2]
          %l = const {val = string[]("cat")} : string[]
        }
      }

      """
    return try ProgramText(text: text, blobs: []).program(named: OperatorSet.named)
  }

  private static let all = """
     features(input "x" image bgr summary "a \\"picture\\"", input "d" dictionary texts, input "k" sequence, \
    input "a" number optional default 0.5, output "p" scores("cat", "dog"), label "label" probabilities "p")
    """

  @Test func textComesBack() throws {
    let program = try parse(Self.all)
    let features = program.main.features
    #expect(features.inputs.map(\.form) == [.image(.bgr), .dictionary(isText: true), .sequence, .number])
    #expect(features.inputs[0].summary == "a \"picture\"" && features.inputs[3].defaultValue == 0.5)
    #expect(features.classLabels == .strings(["cat", "dog"]) && features.classifier?.label == "label")
    #expect(ProgramText(program).text.contains(Self.all))
    #expect(ProgramText(try parse(" features(output \"p\" scores(3, -4))")).text.contains("scores(3, -4)"))
    #expect(try parse("").main.features.isEmpty)
  }

  @Test func contradictionsAreRefused() throws {
    let wrong = [
      "input \"y\" array", "input \"x\" number", "input \"x\" sequence", "input \"x\" image gray",
      "input \"x\" scores(1)",
      "input \"d\" dictionary integers", "input \"x\" dictionary texts", "output \"label\" scores(\"a\")",
      "output \"p\" scores(\"a\", 1)", "output \"p\" scores(1, 2, 3)", "label \"none\"", "input \"x\" frobnicate",
      "input \"x\" image cmyk", "input \"a\" number default 1", "input \"k\" sequence, input \"k\" sequence",
      "state \"x\"", "input \"x\" array default",
    ]
    for text in wrong {
      #expect("\(text)") { try parse(" features(\(text))") } throws: { ($0 as? Diagnostic)?.id == "text.syntax" }
    }
  }
}
