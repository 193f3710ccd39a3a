import MLCCore
import MLCGraph
import MLCOps

/// Float32 tensors become float16 inside a function; its inputs and outputs keep their types, with casts at the border.
///
/// An operation stays in float32 when its first result is named in `kept`, when it has nested blocks, is a `cast`,
/// reads a constant with an element that float16 turns infinite or whose elements all turn zero, or does not take
/// float16. Integers and truth values are untouched. Arithmetic in float16 operations is at least float32 by itself;
/// what is lost is the rounding of results.
package struct CastToFp16: Pass {
  package static let phase = Phase.precision
  package static let tolerance = 1e-2

  package var kept: Set<String>
  package init(keeping kept: Set<String> = []) { self.kept = kept }

  package func run(_ function: inout Function, under _: Budget) throws(Diagnostic) -> PassChange {
    var conversion = HalfConversion(function, kept: kept)
    try conversion.run()
    function = conversion.function
    return conversion.change
  }

  /// What `run` makes of `function`, and the operations with float32 results that it leaves although they are not in
  /// `kept`.
  package func converted(_ function: Function) throws(Diagnostic) -> (function: Function, left: [HalfHazard]) {
    var conversion = HalfConversion(function, kept: kept)
    try conversion.run()
    return (conversion.function, conversion.left)
  }
}

/// Values in both precisions, each made when first asked for.
private struct HalfConversion {
  var function: Function
  let kept: Set<String>
  var change = PassChange()
  /// Operations that stay, for reasons that are found here.
  private(set) var left: [HalfHazard] = []
  private var operations: [Operation] = []
  private var half: [ValueID: ValueID] = [:]
  /// Values that exist under their old number.
  private var full: Set<ValueID> = []
  private var constants: [ValueID: Operation] = [:]
  private var taken: Set<String>

  init(_ function: Function, kept: Set<String>) {
    (self.function, self.kept) = (function, kept)
    taken = Set(function.values.map { $0.name })
    full = Set(function.inputs)
  }

  mutating func run() throws(Diagnostic) {
    let body = function.body
    for operation in body.operations {
      if operation.op is Const, isFloat(operation.outputs[0]) {
        constants[operation.outputs[0]] = operation
      } else {
        try take(operation)
      }
    }
    for output in body.outputs { need(output) }
    function.body.operations = operations
  }

  private func isFloat(_ id: ValueID) -> Bool { function.type(id).dtype == .float32 }

  private mutating func take(_ operation: Operation) throws(Diagnostic) {
    let verdict = judge(operation)
    if verdict == .lower, try lower(operation) { return }
    let reason: HalfHazard.Reason? =
      switch verdict {
      case .lower: .unsupported
      case .leave(let reason): reason
      case .keep: nil
      }
    if let reason, operation.outputs.contains(where: isFloat), let entry = function.hazard(operation, reason) {
      left.append(entry)
    }
    keep(operation)
  }

  private enum Verdict: Equatable {
    case lower
    /// It was asked to stay, or computes no float.
    case keep
    case leave(HalfHazard.Reason)
  }

  private func judge(_ operation: Operation) -> Verdict {
    guard let first = operation.outputs.first, !kept.contains(function[first].name) else { return .keep }
    if !operation.blocks.isEmpty { return .leave(.blocks) }
    if operation.op is Cast { return .leave(.conversion) }
    let floats = operation.inputs.joined().filter(isFloat)
    if floats.isEmpty || operation.hasEffect { return .leave(.unsupported) }
    if let largest = floats.compactMap({ lost($0) }).max() { return .leave(.constant(largest)) }
    let hasFloatResult = operation.outputs.contains(where: isFloat)
    if !hasFloatResult, !floats.allSatisfy({ half[$0] != nil || constants[$0] != nil }) { return .keep }
    return .lower
  }

  /// Appends the operation on float16 tensors; false when it takes none.
  private mutating func lower(_ operation: Operation) throws(Diagnostic) -> Bool {
    let (operationCount, valueCount) = (operations.count, function.values.count)
    let fresh = operation.inputs.joined().filter { isFloat($0) && half[$0] == nil }
    let inputs = operation.inputs.map { port in port.map { isFloat($0) ? halved($0) : $0 } }
    let label = unique(function[operation.outputs[0]].name)
    guard let facts = try? inferred(operation, inputs, label), facts.count == operation.outputs.count,
      zip(facts, operation.outputs).allSatisfy({ $0.dtype == (isFloat($1) ? .float16 : function.type($1).dtype) })
    else {
      for id in fresh { half[id] = nil }
      operations.removeSubrange(operationCount...)
      function.values.removeSubrange(valueCount...)
      return false
    }
    var outputs: [ValueID] = []
    for (index, (id, fact)) in zip(operation.outputs, facts).enumerated() {
      guard isFloat(id) else {
        outputs.append(id)
        full.insert(id)
        continue
      }
      let name = index == 0 ? label : unique(function[id].name)
      var known = Fact(TensorType(fact.dtype, function.type(id).shape))
      known.isCompressed = fact.isCompressed
      let new = function.addValue(name, known)
      half[id] = new
      outputs.append(new)
    }
    var lowered = operation
    (lowered.inputs, lowered.outputs) = (inputs, outputs)
    operations.append(lowered)
    change += PassChange(removed: 1, added: 1)
    return true
  }

  private func inferred(_ operation: Operation, _ inputs: [[ValueID]], _ label: String) throws(Diagnostic) -> [Fact] {
    try infer(operation.op, inputs, blocks: [], label: label, in: function)
  }

  private mutating func keep(_ operation: Operation) {
    for input in operation.inputs.joined() { need(input) }
    for used in operation.blocks.flatMap({ $0.uses }) { need(used) }
    operations.append(operation)
    full.formUnion(operation.outputs)
  }

  /// The greatest finite magnitude of a constant that loses its meaning in float16; `nil` for every other value.
  private func lost(_ id: ValueID) -> Double? {
    guard let operation = constants[id], let tensor = (operation.op as? Const)?.val else { return nil }
    var largest: Float = 0
    tensor.withElements(of: Float.self) { elements in
      for element in elements where element.isFinite { largest = max(largest, abs(element)) }
    }
    return largest >= 65520 || (largest > 0 && largest <= 0x1p-25) ? Double(largest) : nil
  }

  /// The float16 value of a float32 one.
  private mutating func halved(_ id: ValueID) -> ValueID {
    if let value = half[id] { return value }
    let type = function.type(id).with(.float16)
    let name = unique(function[id].name)
    let value: ValueID
    if let operation = constants[id], let tensor = (operation.op as? Const)?.val {
      let narrow = tensor.converted(to: .float16)
      value = function.addValue(name, Fact(narrow))
      operations.append(Operation(Const(narrow), [], outputs: [value], origin: operation.origin))
    } else {
      value = function.addValue(name, Fact(type))
      operations.append(Operation(Cast(.float16), [[id]], outputs: [value]))
      change.added += 1
    }
    half[id] = value
    return value
  }

  /// Makes sure that the value exists in its old type, under its old number.
  private mutating func need(_ id: ValueID) {
    guard !full.contains(id) else { return }
    if let constant = constants[id] {
      operations.append(constant)
    } else if let value = half[id] {
      operations.append(Operation(Cast(.float32), [[value]], outputs: [id]))
      change.added += 1
    } else {
      return
    }
    full.insert(id)
  }

  private mutating func unique(_ hint: String) -> String {
    var name = hint + "_fp16"
    while !taken.insert(name).inserted { name += "_" }
    return name
  }
}
