extension ModelStructure {
  /// Where an operation or layer stands.
  package struct Place: Hashable, Sendable {
    /// Numbers of models, from the outermost pipeline on.
    package var parts: [Int] = []
    /// Empty in networks.
    package var function = ""
    /// The number of the operation or layer; in nested blocks those of the block and of the operation in it, too.
    package var numbers: [Int] = []

    package init(parts: [Int] = [], function: String = "", numbers: [Int] = []) {
      (self.parts, self.function, self.numbers) = (parts, function, numbers)
    }

    package func inside(_ number: Int...) -> Place {
      Place(parts: parts, function: function, numbers: numbers + number)
    }
  }

  /// An operation or a layer.
  package struct Entry: Hashable, Sendable {
    package var place: Place
    /// The name of the layer, or of the operation's first output.
    package var name: String
    package var op: String
    /// What kernels call it, and what is inside of it that has no entry.
    package var nodes: [String]

    package init(place: Place, name: String, op: String, nodes: [String]) {
      (self.place, self.name, self.op, self.nodes) = (place, name, op, nodes)
    }

    /// A value that is there before anything runs.
    package var isConstant: Bool { op == "const" }
  }

  /// What runs when `function` is called, in order, operations of nested blocks behind the one that they are in. Of the
  /// models of a pipeline their default functions run.
  package func entries(of function: String, parts: [Int] = []) -> [Entry] {
    switch self {
    case .program(let functions):
      let found = parts.isEmpty ? functions.first { $0.name == function } : functions.first
      guard let found else { return [] }
      return ModelStructure.entries(found.block, Place(parts: parts, function: found.name))
    case .network(let layers):
      let place = Place(parts: parts)
      return layers.enumerated().map {
        Entry(place: place.inside($0), name: $1.name, op: $1.type, nodes: [$1.name] + $1.inner)
      }
    case .pipeline(let models):
      return models.enumerated().flatMap { $1.structure.entries(of: function, parts: parts + [$0]) }
    case .unsupported: return []
    }
  }

  private static func entries(_ block: Block, _ place: Place) -> [Entry] {
    block.operations.enumerated().flatMap { number, operation -> [Entry] in
      let here = place.inside(number)
      let name = operation.outputs.first?.name ?? operation.node
      let entry = Entry(place: here, name: name, op: operation.op, nodes: [operation.node])
      return [entry] + operation.blocks.enumerated().flatMap { entries($1, here.inside($0)) }
    }
  }
}
