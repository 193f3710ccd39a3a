import MLCCore
import MLCGradients
import MLCGraph
import MLCOps
import Testing

/// Weights of other types and forms than float32, and what else a function has.
@Suite struct TrainableConstantsTests {
  private let options = TrainingStep.Options(MeanSquaredError(), SGD(momentum: false))

  /// `y = x · w` in float16, `w` being stored in halves or, `isCompressed`, in bytes with one scale.
  private func model(isCompressed: Bool) throws(Diagnostic) -> Function {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float16, [2, 2]))
    let w: ValueID
    if isCompressed {
      let data = builder.constant(Tensor(.int8, [2, 2], [4, -8, 2, 1]), name: "codes")
      let scale = builder.constant(Tensor(.float16, [1, 1], [0.25]), name: "scale")
      w = try builder(ConstexprBlockwiseShiftScale(), data, scale, name: "w")
    } else {
      w = builder.constant(Tensor(.float16, [2, 2], [1.0, -2, 0.5, 0.25]), name: "w")
    }
    return builder.finish([("y", try builder(MatMul(), x, w))])
  }

  /// The state holds the numbers of the weight in float32; a gradient too small for halves moves it.
  @Test(arguments: [false, true]) func expansion(_ isCompressed: Bool) throws {
    var trainer = try Trainer(TrainingStep(model(isCompressed: isCompressed), parameters: ["w"], options))
    #expect(trainer.step.expanded == ["w"])
    #expect(trainer.step.initial.map { $0.name } == ["w"] && trainer.step.function.states.map { $0.name } == ["w"])
    #expect(trainer.states[0] == Tensor(.float32, [2, 2], [1.0, -2, 0.5, 0.25]))
    let x = Tensor(.float16, [2, 2], [1.0, 0, 0, 1])
    let loss = try trainer.run([x, Tensor(.float32, [2, 2], [0.0, 0, 0, 0])], [0x1p-14])
    #expect(loss == (1 + 4 + 0.25 + 0.0625) / 4)
    // The gradient is half of the weight.
    #expect(trainer.states[0] == Tensor(.float32, [2, 2], [1.0, -2, 0.5, 0.25].map { $0 - $0 * 0x1p-15 }))
  }

  /// Memory of the model is carried on, before that of training.
  @Test func statesOfTheModel() throws {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, [2]))
    let total = builder.input("total", TensorType(.float32, [2]))
    let w = builder.constant(Tensor(.float32, [2], [2.0, 3]), name: "w")
    let sum = try builder(Add(), total, try builder(Mul(), x, w))
    var function = builder.finish([("y", try builder(Neg(), sum)), ("total_after", sum)])
    function.states = [State("total", input: 1, output: 1)]
    let step = try TrainingStep(function, parameters: ["w"], options)
    try step.function.verify()
    let names = step.function.inputs.map { step.function[$0].name }
    #expect(names == ["x", "total", "target", "learningRate", "w"])
    #expect(step.function.outputNames == ["loss", "total_after", "w_updated"])
    #expect(step.function.states == [State("total", input: 1, output: 1), State("w", input: 4, output: 2)])
    let ones = Tensor(.float32, [2], [1.0, 1])
    let zeros = Tensor(.float32, [2], [0.0, 0])
    let inputs = [ones, ones, zeros, Tensor.scalar(.float32, 0.5), step.initial[0].contents]
    let results = try Interpreter(step.function).run(inputs)
    // y = −(1 + w): the gradient of the mean of two squares by w is 1 + w.
    let expected: [[Double]] = [[12.5], [3, 4], [0.5, 1]]
    #expect(results.map { $0.doubles } == expected)
  }

  /// A weight that the output does not depend on stays as it is.
  @Test func unusedWeights() throws {
    var builder = Builder()
    let x = builder.input("x", TensorType(.float32, [2]))
    let used = builder.constant(Tensor(.float32, [2], [2.0, 3]), name: "used")
    let unused = builder.constant(Tensor(.float32, [1], [5.0]), name: "unused")
    let steps = try builder(Mul(), try builder(Floor(), unused), x)
    let function = builder.finish([("y", try builder(Add(), try builder(Mul(), x, used), steps))])
    var trainer = try Trainer(TrainingStep(function, parameters: ["used", "unused"], options))
    let zeros = Tensor(.float32, [2], [0.0, 0])
    _ = try trainer.run([Tensor(.float32, [2], [1.0, 1]), zeros], [0.5])
    #expect(trainer.states.map { $0.doubles } == [[2 - 3.5, 3 - 4], [5]])
  }

  /// Names that the function has already are not given twice.
  @Test func namesOfTheModel() throws {
    var builder = Builder()
    let target = builder.input("target", TensorType(.float32, [1]))
    let steps = builder.constant(Tensor(.float32, [1], [2.0]), name: "steps")
    let function = builder.finish([("loss", try builder(Mul(), target, steps))])
    let step = try TrainingStep(function, parameters: ["steps"], TrainingStep.Options(MeanSquaredError(), Adam()))
    try step.function.verify()
    let names = step.function.inputs.map { step.function[$0].name } + ["end"]
    #expect(Set(names).count == names.count && Set(step.function.outputNames).count == step.function.outputs.count)
    #expect(Set(step.function.states.map { $0.name }).count == 4)
  }
}
