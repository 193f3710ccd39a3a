import MLCCore
import MLCGraph
import TestSupport

extension NeighborRecord {
  /// What of `learning` is not as the model says.
  func problems(_ learning: Learning) -> [String] {
    guard case .neighbors(let known) = learning.method, known.label == "label", known.columns == 2 else {
      return ["it learns by \(learning.method)"]
    }
    let allowed: Learning.Setting.Allowed = range.map { .range($0[0]...$0[1]) } ?? .values(set)
    let wanted = Learning.Setting(.numberOfNeighbors, Double(stages[0].neighbors), allowed)
    return learning.settings == [wanted] ? [] : ["the settings are \(learning.settings)"]
  }

  /// A row as the function takes it.
  func tensors(_ row: [Double], _ function: Function) -> [Tensor] {
    zip(split(row), function.inputs).map { part, input in
      let type = function.type(input)
      return Tensor(type.dtype, type.shape.map { $0.constant ?? 0 }, part.numbers)
    }
  }
}

extension NeighborRecord.Stage {
  /// In the order of the function's.
  func parameters(_ function: Function) -> [Tensor] {
    let isText = function.parameters[1].contents.dtype == .string
    return [
      Tensor(.float32, [samples.count / 2, 2], samples), classes.tensor(isText, [classes.count]),
      Tensor(.int32, [members.count], members), .scalar(.int32, neighbors),
    ]
  }
}

extension NeighborRecord.Case {
  func answers(_ function: Function) -> [Tensor] {
    zip(function.outputNames, function.outputs).map { name, value in
      let type = function.type(value)
      if name.hasSuffix(".values") { return Tensor(type.dtype, [values.count], values) }
      let isText = type.dtype == .string
      return name.hasSuffix(".keys") ? keys.tensor(isText, [keys.count]) : [label].tensor(isText, [])
    }
  }
}

extension [NeighborRecord.Label] {
  fileprivate func tensor(_ isText: Bool, _ shape: [Int]) -> Tensor {
    if isText { return Tensor(shape, strings: map { if case .text(let text) = $0 { text } else { "" } }) }
    return Tensor(.int64, shape, map { if case .number(let number) = $0 { number } else { 0 } })
  }
}

extension Tensor {
  func isSame(as other: Tensor) -> Bool {
    guard type == other.type else { return false }
    return dtype == .string ? strings == other.strings : doubles == other.doubles
  }
}
