import MLCCore
import MLCGraph
import MLCOps

/// Which integers an input can take, as far as the graph tells: what is looked up in a table stays inside the table,
/// what is compared for equality with a constant may equal it, and what divides is not 0.
package struct IntegerDomain: Hashable, Sendable, CustomStringConvertible {
  /// Values are in `least..<limit`.
  package var least: Int
  package var limit: Int
  /// The one value to take, when the graph asks for it by equality.
  package var wanted: Int?
  /// Whether a table's extent gave `limit`.
  package var isIndex: Bool

  package var description: String { wanted.map { "= \($0)" } ?? "\(least) … \(limit - 1)" }

  /// The domain of the function input `value`.
  package init(of value: ValueID, in function: Function) {
    let dtype = function.type(value).dtype
    var walk = Walk(function: function)
    walk.follow(value)
    isIndex = walk.limit != nil
    limit = max(1, walk.limit ?? (dtype == .uint8 ? 256 : walk.divides ? 8 : 2))
    least = walk.divides && limit > 1 ? 1 : 0
    wanted = walk.limit == nil && !(walk.divides && walk.wanted == 0) ? walk.wanted : nil
  }

  private struct Walk {
    let function: Function
    private let readers: [ValueID: [Operation]]
    var limit: Int?
    var wanted: Int?
    var divides = false
    private var seen: Set<ValueID> = []

    init(function: Function) {
      self.function = function
      var readers: [ValueID: [Operation]] = [:]
      func note(_ block: Block) {
        for operation in block.operations {
          for input in operation.inputs.joined() { readers[input, default: []].append(operation) }
          for nested in operation.blocks { note(nested) }
        }
      }
      note(function.body)
      self.readers = readers
    }

    mutating func follow(_ start: ValueID) {
      var pending = [start]
      while let value = pending.popLast() {
        guard seen.insert(value).inserted else { continue }
        for operation in readers[value] ?? [] {
          look(at: operation, reading: value)
          if keepsElements(operation), operation.inputs.first?.contains(value) ?? false { pending += operation.outputs }
        }
      }
    }

    private mutating func look(at operation: Operation, reading value: ValueID) {
      if operation.arguments("indices").contains(value), let table = operation.inputs.first?.first {
        let shape = function.type(table).shape
        let axis = (operation.op as? Gather)?.axis ?? (operation.op as? GatherAlongAxis)?.axis ?? 0
        let place = axis < 0 ? axis + shape.count : axis
        guard shape.indices.contains(place), let extent = shape[place].constant else { return }
        limit = min(limit ?? extent, extent)
      } else if operation.op is RealDiv || operation.op is FloorDiv || operation.op is Mod {
        divides = divides || operation.arguments("y").contains(value)
      } else if operation.op is Equal {
        let other = operation.inputs.joined().first { $0 != value }
        guard let constant = other.flatMap({ function.fact($0).value }), constant.count == 1, constant.dtype.isInteger
        else { return }
        wanted = constant.integers[0]
      }
    }

    /// Whether the results hold the elements of the first argument and nothing else.
    private func keepsElements(_ operation: Operation) -> Bool {
      switch operation.op {
      case is Cast, is Identity, is Reshape, is Squeeze, is ExpandDims, is Transpose, is SliceByIndex, is BroadcastTo:
        true
      default: false
      }
    }
  }
}
