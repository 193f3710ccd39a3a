import MLCCompiler
import MLCCore
import MLCGraph
import MLCPackage
import MLCRuntime

/// Examples that become samples of a nearest-neighbour classifier, by code for this machine.
package struct NeighborTraining {
  private let program: Program
  private let neighbors: Learning.Neighbors
  private let features: Function

  /// `nil` for a program that does not learn so.
  package init?(_ program: Program) {
    guard case .neighbors(let neighbors)? = program.learning?.learning.method,
      let features = program.functions.first(where: { $0.name == Learning.features })
    else { return nil }
    (self.program, self.neighbors, self.features) = (program, neighbors, features)
  }

  /// The samples with the examples of `archive`: tensors for the model's inputs and, by the name that the model gives
  /// it, the label, whose first axes count the examples. `progress` is told the share that is done.
  ///
  /// Throws `update.data-…`, `update.labels`, and what compiling and running throw.
  package func samples(
    with archive: [(name: String, tensor: Tensor)],
    _ compiler: Compiler,
    drivers: [any Driver],
    progress: (Double) -> Void = { _ in }
  ) throws(Diagnostic) -> NeighborSamples {
    guard var samples = NeighborSamples(neighbors, program.main.parameterContents) else {
      preconditionFailure("the importer's parameters are those of neighbours")
    }
    let ports = features.inputs.map { (features[$0].name, features.type($0).counted) }
    let data = try TrainingData(archive, ports: ports)
    let labels = try labels(archive, count: data.count)
    let code = try CompiledFunctions([features], compiler, drivers: drivers)
    for number in 0..<data.count {
      let row = try code.models[0].predict(data.batch([number]).map { $0.withoutFirstAxis })[0].floats
      guard samples.add(row, labels[number]) else {
        throw Diagnostic("update.data-finite", "example \(number) has features that are no finite numbers")
      }
      progress(Double(number + 1) / Double(data.count))
    }
    return samples
  }

  /// One for each example.
  private func labels(_ archive: [(name: String, tensor: Tensor)], count: Int) throws(Diagnostic) -> [Tensor] {
    guard let given = archive.first(where: { $0.name == neighbors.label })?.tensor else {
      let names = archive.map { "'\($0.name)'" }.joined(separator: ", ")
      throw Diagnostic("update.data-missing", "there is no '\(neighbors.label)' among the data; there are \(names)")
    }
    guard given.rank > 0, given.count == count, given.shape[0] == count else {
      let message = "'\(neighbors.label)' is \(given.type), and one label for each of \(count) examples is taken"
      throw Diagnostic("update.data-shape", message)
    }
    if neighbors.isText {
      guard given.dtype == .string else { throw wrong(given, "texts") }
      return given.strings.map { Tensor([], strings: [$0]) }
    }
    guard given.dtype.isInteger else { throw wrong(given, "integers") }
    return given.integers.map { .scalar(.int64, $0) }
  }

  private func wrong(_ given: Tensor, _ wanted: String) -> Diagnostic {
    Diagnostic("update.data-type", "'\(neighbors.label)' is of \(given.dtype.rawValue), and labels are \(wanted)")
  }
}
