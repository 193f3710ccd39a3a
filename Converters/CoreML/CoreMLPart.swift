import MLCGraph

/// A model on its way into a package.
package struct CoreMLPart: Sendable {
  package enum Content: Sendable {
    case program(Program)
    case kept(KeptModel)
  }

  /// What a pipeline calls it.
  package let name: String
  package let content: Content

  package init(_ name: String, _ program: Program) { (self.name, content) = (name, .program(program)) }
  package init(_ name: String, _ model: KeptModel) { (self.name, content) = (name, .kept(model)) }
}
