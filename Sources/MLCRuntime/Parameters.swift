import MLCCore
import MLCPackage

/// What a package holds for inputs of a function that are not the caller's.
struct Parameters: Sendable {
  /// Rising places among all inputs.
  private var contents: [(name: String, input: Int, tensor: Tensor)]

  /// `learnt` stands before what the package holds, by name. Throws `package.field` where something is missing.
  init(
    _ package: PackageReader,
    _ interface: FunctionInterface,
    _ learnt: [String: Tensor]
  ) throws(Diagnostic) {
    var contents: [(name: String, input: Int, tensor: Tensor)] = []
    let held = interface.parameters.isEmpty ? [] : try package.parameters()
    for parameter in interface.parameters {
      guard let tensor = learnt[parameter.name] ?? held.first(where: { $0.name == parameter.name })?.tensor else {
        let message = "the package does not hold '\(parameter.name.shown(60))', which '\(interface.name)' takes"
        throw Diagnostic("package.field", message)
      }
      contents.append((parameter.name, parameter.input, tensor))
    }
    self.contents = contents
  }

  func replacing(_ learnt: [String: Tensor]) -> Parameters {
    var result = self
    for place in contents.indices {
      if let tensor = learnt[contents[place].name] { result.contents[place].tensor = tensor }
    }
    return result
  }

  /// All inputs, of which `given` are the caller's.
  func completing(_ given: [Tensor]) -> [Tensor] {
    if contents.isEmpty { return given }
    var all = given
    for (_, place, tensor) in contents where place <= all.count { all.insert(tensor, at: place) }
    return all
  }
}
