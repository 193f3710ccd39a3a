import MLCCore
import MLCGraph

/// Makes a failing case smaller while it keeps failing in the same way: fewer runs and outputs, operations left out.
package struct GraphShrinker {
  private let isFailing: (GraphCase) -> Bool
  /// How many more cases may be tried.
  private var budget: Int

  package init(tries budget: Int = 60, _ isFailing: @escaping (GraphCase) -> Bool) {
    (self.budget, self.isFailing) = (budget, isFailing)
  }

  package mutating func shrink(_ item: GraphCase) -> GraphCase {
    var item = item
    if item.runs.count > 1 {
      for run in item.runs {
        if let smaller = accepted(GraphCase(item.label, item.function, [run])) {
          item = smaller
          break
        }
      }
    }
    item = accepted(try? GraphReplay(item).rebuilt(item.function.outputs)) ?? item
    while budget > 0, let smaller = step(item) { item = smaller }
    return item
  }

  private mutating func accepted(_ candidate: GraphCase?) -> GraphCase? {
    guard let candidate, budget > 0 else { return nil }
    budget -= 1
    return isFailing(candidate) ? candidate : nil
  }

  /// The first smaller case that still fails.
  private mutating func step(_ item: GraphCase) -> GraphCase? {
    let replay = GraphReplay(item)
    let function = item.function
    if function.outputs.count > 1 {
      for output in function.outputs {
        if let smaller = accepted(try? replay.rebuilt([output])) { return smaller }
      }
    }
    let operations = function.body.operations.filter { !$0.inputs.isEmpty }
    if function.outputs.count == 1, let last = operations.first(where: { $0.outputs.contains(function.outputs[0]) }) {
      for input in last.inputs.joined() where operations.contains(where: { $0.outputs.contains(input) }) {
        if let smaller = accepted(try? replay.rebuilt([input])) { return smaller }
      }
    }
    for operation in operations.reversed() {
      for output in operation.outputs where !function.outputs.contains(output) {
        if let smaller = without(output, operation, replay, function) { return smaller }
      }
    }
    return nil
  }

  /// The case with an operand of the same type, or a new input, in the place of an operation's result.
  private mutating func without(
    _ output: ValueID,
    _ operation: Operation,
    _ replay: GraphReplay,
    _ function: Function
  ) -> GraphCase? {
    let count = function.body.operations.count
    let alike = operation.inputs.joined().filter { function.type($0) == function.type(output) }
    for replacement in alike.map({ GraphReplay.Replacement.value($0) }) + [.input] {
      guard let candidate = try? replay.rebuilt(function.outputs, replacing: [output: replacement]),
        candidate.function.body.operations.count < count
      else { continue }
      if let smaller = accepted(candidate) { return smaller }
    }
    return nil
  }
}
