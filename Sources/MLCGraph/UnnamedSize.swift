import MLCCore

extension Dim {
  /// In a shape that a user gives for an input: a size that stays open and gets no name. No size of a model is called
  /// so.
  package static var unnamed: Dim { .symbol("?") }
}

extension [Dim] {
  /// The shape that a user gives for the input called `input`. A size without a name is the model's own, at its place
  /// in `declared`, where the model leaves it open, so that sizes that are one stay one; else it is named after its
  /// place. `sizes` are what the model's sizes are by what is given for all inputs.
  package func named(_ input: String, as declared: [Dim]?, _ sizes: [String: Dim] = [:]) -> [Dim] {
    enumerated().map { axis, dim in
      if dim != .unnamed { return dim }
      guard let declared, declared.count == count, declared[axis].symbol != nil else {
        return .symbol("\(input)_\(axis)")
      }
      return declared[axis].substituting(sizes)
    }
  }
}
