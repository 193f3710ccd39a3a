import MLCCore
import MLCGraph
import TestSupport

extension PlayedCase {
  /// The case with a symbol for each distinct extent above 1 of its run-time inputs, run at the case's extents and at
  /// twice these; `nil` when no extent is open.
  ///
  /// An extent that a constant has too stays a number, because a weight fixes it. Elements repeat to fill the larger
  /// tensors. Where the reference refuses the larger extents (a target shape is constant, for one) the case runs once.
  init?(symbolic item: OperatorCase) {
    self.init(item)
    label += " of open sizes"
    var fixed: Set<Int> = [0, 1]
    for case .constant(let tensor) in operands.joined() { fixed.formUnion(tensor.shape) }
    var isOpen = false
    operands = operands.map { list in
      list.map { operand in
        guard case .input(let type) = operand else { return operand }
        let shape = type.shape.map { dim -> Dim in
          guard let extent = dim.constant, !fixed.contains(extent) else { return dim }
          isOpen = true
          return .symbol("n\(extent)")
        }
        return .input(TensorType(type.dtype, shape))
      }
    }
    guard isOpen else { return nil }
    let larger = zip(runs[0], operands.joined().compactMap { if case .input(let type) = $0 { type } else { nil } })
      .map { tensor, type in
        tensor.repeated(zip(tensor.shape, type.shape).map { $1.constant == nil ? 2 * $0 : $0 })
      }
    if let function = try? function(), (try? Interpreter(function).run(larger)) != nil { runs.append(larger) }
  }
}
