import MLCGraph

/// A model on its way into a package.
package struct CoreMLPart: Sendable {
  package enum Content: Sendable {
    case program(Program)
    case kept(KeptModel)
  }

  /// What a pipeline calls it.
  package let name: String
  package private(set) var content: Content
  /// Author, description, license, version, and what has other keys.
  package var metadata: [(key: String, value: String)] {
    get {
      switch content {
      case .program(let program): program.metadata
      case .kept(let model): model.metadata
      }
    }
    set {
      switch content {
      case .program(var program):
        program.metadata = newValue
        content = .program(program)
      case .kept(var model):
        model.metadata = newValue
        content = .kept(model)
      }
    }
  }

  package init(_ name: String, _ program: Program) { (self.name, content) = (name, .program(program)) }
  package init(_ name: String, _ model: KeptModel) { (self.name, content) = (name, .kept(model)) }
}
