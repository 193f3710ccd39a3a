import MLCCore
import MLCGraph

extension FunctionNote {
  /// `constants` names the `const` operation of each constant that has one.
  init(_ function: Function, constants: [ValueID: String]) {
    name = function.name
    inputs = function.inputs.map(\.index)
    outputNames = function.outputNames
    bounds = function.bounds.sorted { $0.key < $1.key }.map {
      BoundNote(symbol: $0.key, low: $0.value.lowerBound, high: $0.value.upperBound)
    }
    enumerations =
      function.enumerations.isEmpty
      ? nil : function.enumerations.map { EnumerationNote(symbols: $0.symbols, choices: $0.choices) }
    values = function.values.map { value in
      ValueNote(name: value.name, type: value.fact.dtype.rawValue, shape: value.fact.shape.map(\.description))
    }
    body = BlockNote(function.body, constants)
    features = function.features.isEmpty ? nil : function.features
    states =
      function.states.isEmpty
      ? nil
      : function.states.map {
        StateNote(name: $0.name, input: $0.input, output: $0.output)
      }
  }
}

extension BlockNote {
  init(_ block: Block, _ constants: [ValueID: String]) {
    inputs = block.inputs.map(\.index)
    outputs = block.outputs.map(\.index)
    operations = block.operations.map { OperationNote($0, constants) }
  }
}

extension OperationNote {
  init(_ operation: Operation, _ constants: [ValueID: String]) {
    op = operation.name
    inputs = operation.inputs.map { $0.map(\.index) }
    outputs = operation.outputs.map(\.index)
    blocks = operation.blocks.isEmpty ? nil : operation.blocks.map { BlockNote($0, constants) }
    let place = operation.origin
    let fields = [place.function, place.node, place.op, place.pass]
    origin = fields.lastIndex { $0 != nil }.map { Array(fields[...$0]) }
    if let constant = operation.op as? Const, let name = constants[operation.outputs[0]], !constant.val.losesBits {
      self.constant = name
      return
    }
    var spelled: [String: [String]] = [:]
    for (name, value) in operation.op.attributes { spelled[name] = value.noteFields }
    attributes = spelled.isEmpty ? nil : spelled
  }
}

extension Tensor {
  /// Whether its Core ML constant holds other numbers than it: 64-bit integers that do not fit 32 bits.
  var losesBits: Bool {
    dtype == .int64 && !integers.allSatisfy { Int(Int32.min) <= $0 && $0 <= Int(Int32.max) }
  }
}

extension AttributeValue {
  /// Kind, then elements as text.
  var noteFields: [String] {
    switch self {
    case .int(let x): ["int", "\(x)"]
    case .ints(let x): ["ints"] + x.map { "\($0)" }
    case .float(let x): ["float", "\(x.bitPattern)"]
    case .floats(let x): ["floats"] + x.map { "\($0.bitPattern)" }
    case .string(let x): ["string", x]
    case .strings(let x): ["strings"] + x
    case .bool(let x): ["bool", "\(x)"]
    case .bools(let x): ["bools"] + x.map { "\($0)" }
    case .dtype(let x): ["dtype", x.rawValue]
    case .tensor(let x):
      x.dtype == .string
        ? ["strings-tensor", x.shape.map(String.init).joined(separator: ",")] + x.strings
        : ["tensor", x.dtype.rawValue, x.shape.map(String.init).joined(separator: ","), x.hex]
    }
  }
}

extension Tensor {
  fileprivate var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    return withBytes { bytes in
      String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
  }
}
