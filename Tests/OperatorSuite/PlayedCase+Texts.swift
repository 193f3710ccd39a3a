import MLCCore
import MLCGraph
import MLCOps

extension PlayedCase {
  /// The case with texts in place of its float32 elements, equal ones for equal elements; `nil` where it has none, and
  /// where the operator takes no texts there. Casts read numbers in them, which are not always of the type.
  init?(texts item: OperatorCase) {
    guard !(item.op is Cast), item.inputs.joined().contains(where: { $0.dtype == .float32 }) else { return nil }
    var spelled = item
    spelled.label += " of texts"
    spelled.inputs = item.inputs.map { list in
      list.map { tensor in
        tensor.dtype == .float32 ? Tensor(tensor.shape, strings: tensor.floats.map { "\($0)" }) : tensor
      }
    }
    self.init(spelled)
    if (try? function()) == nil { return nil }
  }

  /// Whether a value of the case is of texts.
  var worksOnTexts: Bool { (try? function())?.values.contains { $0.fact.type.dtype == .string } ?? false }
}
