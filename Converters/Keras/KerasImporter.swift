import MLCCore
import MLCGraph
import MLCHDF5
import MLCOps

/// Turns a Keras model into a program of the graph.
///
/// Inputs keep Keras' names and order of axes, the batch is the symbol `batch`; outputs have the names of the layers
/// that make them. Nothing in a file is executed: layers are known by class, code in `Lambda` layers is never looked
/// at.
package struct KerasImporter: Sendable {
  /// The user's file, for diagnostics.
  package var file: String
  /// Shapes that the user binds, by input name.
  package var bindings: [String: TensorType]

  package init(file: String, bindings: [String: TensorType] = [:]) { (self.file, self.bindings) = (file, bindings) }

  /// Reads and converts `path`. Throws what `KerasFile.read` throws, `keras.unsupported` with a table of every layer
  /// that mlc does not have, or the first layer's problem.
  package static func read(
    _ path: String,
    bindings: [String: TensorType] = [:],
    helper: HDF5Helper = .init()
  ) throws(Diagnostic) -> Program {
    let file = try KerasFile.read(path, helper: helper)
    return try KerasImporter(file: path, bindings: bindings).program(file)
  }

  package func program(_ source: KerasFile) throws(Diagnostic) -> Program {
    try locating(Location(file: file)) { () throws(Diagnostic) in
      let model = try KerasLayerNode.read(source.model, id: "", within: "", isKeras2: source.isKeras2)
      if let report = UnsupportedLayers.report(model) { throw report }
      guard let topology = model.topology else {
        throw Diagnostic("keras.layer", "the file holds a lone layer (\(model.className)), no model")
      }
      let weights = try KerasWeights(model, in: source)
      var function = Function("main")
      function.file = file
      var context = KerasContext(
        builder: Builder(function),
        file: file,
        isKeras2: source.isKeras2,
        weights: weights,
        layer: model
      )
      let inputs = try KerasInputs(bindings).add(model, topology, to: &context)
      let outputs = try context.run(model, inputs)
      context.layer = model
      var program = Program([try finish(outputs, model, topology, &context)])
      program.metadata = source.metadata
      return program
    }
  }

  private func finish(
    _ outputs: [KerasTensor],
    _ model: KerasLayerNode,
    _ topology: KerasTopology,
    _ context: inout KerasContext
  ) throws(Diagnostic) -> Function {
    let layers = topology.outputs.map { $0.layer < 0 ? model.name : model.children[$0.layer].name }
    var results: [(name: String, value: ValueID)] = []
    var taken: Set<String> = []
    for (output, layer) in zip(outputs, layers) {
      var (name, count) = (layer, 0)
      // A further output of a layer does not take the name of another layer.
      while !taken.insert(name).inserted || count > 0 && layers.contains(name) {
        count += 1
        name = "\(layer)_\(count)"
      }
      results.append((name, try context.plain(output)))
    }
    return context.builder.finish(results)
  }
}
