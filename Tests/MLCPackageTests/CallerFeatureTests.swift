import MLCCore
import MLCPackage
import Testing

@Suite struct CallerFeatureTests {
  private var interface: FunctionInterface {
    var features = Features()
    features.inputs = [
      Feature("d", .dictionary(isText: false), isOptional: true),
      Feature("x", isOptional: true, defaultValue: 2.5, summary: "numbers"),
      Feature("n", .number, isOptional: true),
    ]
    features.outputs = [Feature("p", .scores(.integers([-1, 7])), summary: "s")]
    features.classifier = .init(label: "label", probabilities: "p")
    return FunctionInterface(
      "main",
      inputs: [
        .init("a", TensorType(.float32, [2])), .init("d.keys", TensorType(.int64, ["count"])),
        .init("d.values", TensorType(.float64, ["count"])), .init("x", TensorType(.float32, ["rows", 2])),
        .init("n", TensorType(.float64, [Dim]())),
      ],
      outputs: [.init("label", TensorType(.int64, [Dim]())), .init("p", TensorType(.float32, [2, 1, 1]))],
      symbols: [.init("count"), .init("rows", range: 3...9)],
      features: features
    )
  }

  @Test func portsOfOneFeatureStandTogether() {
    #expect(interface.inconsistency == nil)
    #expect(interface.inputFeatures.map(\.name) == ["a", "d", "x", "n"])
    #expect(interface.inputFeatures[1].ports.map(\.name) == ["d.keys", "d.values"])
    #expect(interface.outputFeatures.map(\.feature.form) == [.array, .scores(.integers([-1, 7]))])
  }

  @Test func absentOnesHaveTheirDefault() throws {
    let interface = interface
    let absent = interface.inputFeatures.map { $0.absent(interface.symbols) }
    #expect(absent[0] == nil)
    #expect(absent[1]?.map(\.shape) == [[0], [0]])
    #expect(absent[2]?[0].shape == [3, 2] && absent[2]?[0].floats == [Float](repeating: 2.5, count: 6))
    #expect(absent[3]?[0].doubles[0].isNaN == true)
  }

  @Test func contradictionsAreFound() {
    func problem(_ change: (inout FunctionInterface) -> Void) -> String? {
      var changed = interface
      change(&changed)
      return changed.inconsistency
    }
    #expect(problem { $0.inputs.swapAt(1, 3) } != nil)
    #expect(problem { $0.features.inputs.append(Feature("z")) } != nil)
    #expect(problem { $0.features.outputs[0].form = .scores(.integers([1])) } != nil)
    #expect(problem { $0.features.classifier?.label = "z" } != nil)
  }

  /// What is learnt may share sizes with inputs, and have others.
  @Test func callersDecideTheSizesOfWhatTheyGive() {
    let interface = FunctionInterface(
      "main",
      inputs: [.init("x", TensorType(.float32, ["n", 3])), .init("samples", TensorType(.float32, ["m", "n"]))],
      outputs: [],
      symbols: [.init("n"), .init("m")],
      parameters: [.init("samples", input: 1)]
    )
    #expect(interface.inconsistency == nil)
    #expect(interface.callerSymbols.map(\.name) == ["n"])
  }
}
