import MLCCore
import MLCGraph

/// Inputs that are not the caller's but what a model has learnt.
extension PartContext {
  /// The function from the inputs to what learning needs of them.
  func forward(to result: ValueID) -> Function {
    var builder = builder
    return builder.finish([("result", result)])
  }

  /// Whether no input is called one of `names`.
  func isFree(_ names: String...) -> Bool {
    builder.function.inputs.allSatisfy { !names.contains(builder.function[$0].name) }
  }

  /// An input called `name`, which no other is. Other values leave that name to it.
  mutating func parameter(_ name: String, _ shape: [Dim], _ contents: Tensor) -> ValueID {
    for place in builder.function.values.indices where builder.function.values[place].name == name {
      builder.function.values[place].name = builder.uniqueName(name)
    }
    let value = builder.function.addInput(name, TensorType(contents.dtype, shape))
    builder.function.parameters.append(Parameter(name, input: builder.function.inputs.count - 1, contents))
    return value
  }

  /// A size that no input has, called `hint`, with low lines behind it where others are called so.
  mutating func openSize(_ hint: String) -> Dim {
    let taken = Set(builder.function.inputs.flatMap { builder.function.type($0).shape.flatMap(\.symbols) })
      .union(builder.function.bounds.keys)
    var name = hint
    while taken.contains(name) { name += "_" }
    return .symbol(name)
  }
}
