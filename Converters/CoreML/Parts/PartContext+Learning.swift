import MLCCore
import MLCGraph

/// How the model at hand learns.
struct PartLearning {
  let learning: Learning
  /// What a loss compares with the target, or the row of a sample.
  let result: ValueID
  let target: LearningSource.Target
}

extension PartContext {
  /// What the model learns: an input that what is compiled holds. `hint` names it, unless the name is taken.
  mutating func parameter(_ hint: String, _ type: TensorType, _ contents: Tensor) -> ValueID {
    let value = builder.input(hint, type)
    let function = builder.function
    builder.function.parameters.append(
      Parameter(function[value].name, input: function.inputs.count - 1, contents)
    )
    return value
  }

  /// The function from the inputs to what learning needs of them.
  mutating func forward(to result: ValueID) -> Function {
    var function = builder.finish([("result", result)])
    function.features.outputs = []
    function.features.classifier = nil
    return function
  }
}
