import MLCCore
import MLCGradients
import MLCGraph
import MLCOps
import Testing

/// What cannot be trained is refused before anything is made.
@Suite struct GradientRejectionTests {
  private func problem(_ body: () throws(Diagnostic) -> Void) -> Diagnostic? {
    do throws(Diagnostic) { try body() } catch { return error }
    return nil
  }

  /// `y` of two products of `w`, `first` and `second` upon each.
  private func model(_ first: any Operator, _ second: any Operator) throws(Diagnostic) -> Function {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, [2]))
    let w = builder.constant(Tensor(.float32, [2], [0.5, -0.5]), name: "w")
    let product = try builder(Mul(), x, w)
    let left = try builder(first, product, origin: Location(node: "left", op: "Left"))
    let right = try builder(second, product, origin: Location(node: "right", op: "Right"))
    return builder.finish([("y", try builder(Add(), left, right))])
  }

  private func step(_ function: Function, _ names: Set<String> = ["w"], output: String? = nil) -> Diagnostic? {
    problem { () throws(Diagnostic) in
      var options = TrainingStep.Options(MeanSquaredError(), SGD(momentum: false))
      options.output = output
      _ = try TrainingStep(function, parameters: names, options)
    }
  }

  @Test func everyNodeWithoutGradientIsNamed() throws {
    var products = Cumprod()
    products.reverse = true
    let refused = try #require(step(model(Cumprod(), products)))
    #expect(refused.id == "gradient.unsupported" && refused.kind == .unsupported)
    #expect(refused.location.node == "left" && refused.location.op == "Left")
    #expect(refused.notes.count == 1 && refused.notes[0].hasPrefix("nor right (Right): "))
  }

  /// A node that nothing trainable lies before needs no gradient; one that is constant but for steps ends the way.
  @Test func onlyTheWayCounts() throws {
    #expect(step(try model(Floor(), Sign())) == nil)
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, [2]))
    let w = builder.constant(Tensor(.float32, [2], [0.5, -0.5]), name: "w")
    let function = builder.finish([("y", try builder(Mul(), try builder(Cumprod(), x), w))])
    #expect(step(function) == nil)
  }

  @Test func unknownParameters() throws {
    let function = try model(Relu(), Abs())
    let refused = try #require(step(function, ["w", "v", "x"]))
    #expect(refused.id == "gradient.parameter" && refused.message.contains("'v', 'x'"))
    #expect(step(function, [])?.id == "gradient.parameter")
  }

  @Test func unknownOutput() throws {
    let refused = try #require(step(try model(Relu(), Abs()), output: "z"))
    #expect(refused.id == "gradient.output" && refused.message.contains("'y'"))
  }

  @Test func lossesOfOtherTypes() throws {
    let integers = TensorType(.int32, [Dim(2)])
    let scalar = TensorType(.float32, [Dim]())
    for loss in [MeanSquaredError(), BinaryCrossEntropy(.logits)] as [any Loss] {
      #expect(problem { () throws(Diagnostic) in _ = try loss.target(of: integers) }?.id == "gradient.loss")
    }
    let classes = CategoricalCrossEntropy(.logits, targets: .classes)
    #expect(problem { () throws(Diagnostic) in _ = try classes.target(of: scalar) }?.id == "gradient.loss")
  }
}
