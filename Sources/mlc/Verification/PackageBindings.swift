import MLCCompiler
import MLCCore
import MLCGraph
import MLCPackage

extension InputBinding {
  /// What `--input` says for `inputs` to take the sizes alone that `form`, made of the same model, takes: by name, for
  /// those that it restricts. A size that stands in more than one place stays as it is.
  static func restricting(_ inputs: [FunctionInterface.Port], to form: FunctionInterface) -> [String: InputBinding] {
    let places = inputs.flatMap { $0.type.shape.compactMap(\.symbol) }
    var bindings: [String: InputBinding] = [:]
    for (mine, theirs) in zip(inputs, form.inputs) where mine.type.rank == theirs.type.rank {
      var restricts = false
      let extents = zip(mine.type.shape, theirs.type.shape).map { own, other -> InputExtent in
        guard own.constant == nil, places.count(where: { $0 == own.symbol }) < 2,
          let extent = form.restriction(other)
        else { return .size(own) }
        restricts = true
        return extent
      }
      if restricts { bindings[mine.name] = InputBinding(extents: extents) }
    }
    return bindings
  }
}

extension FunctionInterface {
  /// The sizes that `dim` allows, where that is not any.
  fileprivate func restriction(_ dim: Dim) -> InputExtent? {
    if dim.constant != nil { return .size(dim) }
    guard let name = dim.symbol else { return nil }
    if let choice = enumerations.first(where: { $0.symbols == [name] }) {
      return InputExtent(choice: choice.choices.map { $0[0] })
    }
    return symbols.first { $0.name == name }?.range.map { .range($0) }
  }
}
