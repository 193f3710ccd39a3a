import MLCCore

/// An input of a function that is not the caller's: what is compiled holds it, and changes it when the model learns.
package struct Parameter: Sendable {
  package var name: String
  /// The place among the function's inputs.
  package var input: Int
  /// What it holds at first.
  package var contents: Tensor

  package init(_ name: String, input: Int, _ contents: Tensor) {
    (self.name, self.input, self.contents) = (name, input, contents)
  }

  /// Whether an input of type `type` takes the contents.
  package func fits(_ type: TensorType) -> Bool {
    type.dtype == contents.dtype && type.rank == contents.rank
      && zip(type.shape, contents.shape).allSatisfy { $0.constant ?? $1 == $1 }
  }
}
