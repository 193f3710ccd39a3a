import Foundation
import MLCCore
import MLCGraph
import MLCOps

extension ProgramNote {
  /// Throws `coreml.note` when the text is no note, or one of a version to come.
  init(parsing text: String) throws(Diagnostic) {
    let json = try Self.unpacked(text)
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = Self.floats.decoding
    do { self = try decoder.decode(ProgramNote.self, from: json) } catch {
      throw Self.damaged("it is not JSON of the expected form")
    }
    guard (1...2).contains(version) else { throw Self.damaged("its version is \(version); this mlc reads 1 and 2") }
    if version == 1 { for index in functions.indices { functions[index].body.dropFiles() } }
  }

  static func damaged(_ why: String) -> Diagnostic {
    Diagnostic("coreml.note", "the note that mlc left in the package is damaged: \(why)")
  }

  /// The program. `constant` reads a `const` of a function by name.
  func program(
    _ constant: (_ function: String, _ name: String) throws(Diagnostic) -> Tensor
  ) throws(Diagnostic) -> Program {
    guard metadata.count.isMultiple(of: 2), !functions.isEmpty else { throw Self.damaged("it is incomplete") }
    var result: [Function] = []
    for note in functions {
      var rebuilding = try NoteReader(note)
      result.append(try rebuilding.function { (name) throws(Diagnostic) in try constant(note.name, name) })
    }
    var program = Program(result)
    program.metadata = stride(from: 0, to: metadata.count, by: 2).map { (metadata[$0], metadata[$0 + 1]) }
    return program
  }
}

extension BlockNote {
  /// Origins of version 1 begin with the source's file.
  fileprivate mutating func dropFiles() {
    for index in operations.indices {
      operations[index].origin = operations[index].origin.map { Array($0.dropFirst()) }
      for block in (operations[index].blocks ?? []).indices { operations[index].blocks?[block].dropFiles() }
    }
  }
}

/// One function being rebuilt from its note. Nothing in the note is trusted.
private struct NoteReader {
  typealias Constants = (String) throws(Diagnostic) -> Tensor
  private let note: FunctionNote
  private var function: Function

  init(_ note: FunctionNote) throws(Diagnostic) {
    self.note = note
    function = Function(note.name)
    function.outputNames = note.outputNames
    for bound in note.bounds {
      guard bound.low <= bound.high else { throw ProgramNote.damaged("a size has no range") }
      function.bounds[bound.symbol] = bound.low...bound.high
    }
    for enumeration in note.enumerations ?? [] {
      guard let sizes = SizeEnumeration(enumeration.symbols, choices: enumeration.choices),
        sizes.isDisjoint(with: function.enumerations)
      else { throw ProgramNote.damaged("sizes that go together lack numbers") }
      function.enumerations.append(sizes)
    }
    for value in note.values {
      guard let dtype = DType(rawValue: value.type) else { throw ProgramNote.damaged("'\(value.type)' is no type") }
      var shape: [Dim] = []
      for extent in value.shape { shape.append(try Dim(parsing: extent)) }
      _ = function.addValue(value.name, Fact(TensorType(dtype, shape)))
    }
  }

  mutating func function(_ constants: Constants) throws(Diagnostic) -> Function {
    function.inputs = try ids(note.inputs)
    function.body = try block(note.body, constants)
    function.features = note.features ?? Features()
    function.states = (note.states ?? []).map { State($0.name, input: $0.input, output: $0.output) }
    do { try function.verify() } catch {
      throw Diagnostic("coreml.note", "the note that mlc left in the package is damaged: \(error.message)")
    }
    return function
  }

  private func ids(_ indices: [Int]) throws(Diagnostic) -> [ValueID] {
    guard indices.allSatisfy(function.values.indices.contains) else { throw ProgramNote.damaged("a value is missing") }
    return indices.map { ValueID($0) }
  }

  private mutating func block(_ note: BlockNote, _ constants: Constants) throws(Diagnostic) -> Block {
    var result = Block()
    result.inputs = try ids(note.inputs)
    for operation in note.operations { result.operations.append(try self.operation(operation, constants)) }
    result.outputs = try ids(note.outputs)
    return result
  }

  private mutating func operation(_ note: OperationNote, _ constants: Constants) throws(Diagnostic)
    -> MLCGraph.Operation
  {
    let outputs = try ids(note.outputs)
    var inputs: [[ValueID]] = []
    for port in note.inputs { inputs.append(try ids(port)) }
    var blocks: [Block] = []
    for block in note.blocks ?? [] { blocks.append(try self.block(block, constants)) }
    let op = try self.op(note, outputs, constants)
    guard type(of: op).blockNames.count == blocks.count else { throw ProgramNote.damaged("a block is missing") }
    var origin = Location()
    if let known = note.origin, known.count <= 4 {
      let fields = known + [String?](repeating: nil, count: 4 - known.count)
      origin = Location(function: fields[0], node: fields[1], op: fields[2], pass: fields[3])
    }
    try infer(op, inputs, blocks, outputs, at: origin)
    return MLCGraph.Operation(op, inputs, outputs: outputs, blocks: blocks, origin: origin)
  }

  private func op(_ note: OperationNote, _ outputs: [ValueID], _ constants: Constants) throws(Diagnostic)
    -> any Operator
  {
    if let name = note.constant {
      guard note.op == "const", outputs.count == 1 else { throw ProgramNote.damaged("a constant has no output") }
      let tensor = try constants(name)
      let type = function.type(outputs[0])
      let dtype = type.dtype
      if name.contains(MILCompressedPart.mark) {
        guard let shape = type.staticShape, let part = tensor.viewed(as: dtype, shape) else {
          throw ProgramNote.damaged("'\(name)' has another type")
        }
        return Const(part)
      }
      if tensor.dtype == dtype { return Const(tensor) }
      guard tensor.dtype == .int32, dtype == .int64 else { throw ProgramNote.damaged("'\(name)' has another type") }
      return Const(Tensor(.int64, tensor.shape, tensor.integers))
    }
    guard let type = OperatorSet.named(note.op) else { throw ProgramNote.damaged("no operator '\(note.op)'") }
    var op: any Operator = type.init()
    for (name, fields) in (note.attributes ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard let value = AttributeValue(noteFields: fields), op.setAttribute(name, value) else {
        throw ProgramNote.damaged("attribute '\(name)' of '\(note.op)' is \(fields.first ?? "nothing")")
      }
    }
    return op
  }

  /// Takes from inference what the note does not hold; where both speak, the note's sizes stand.
  private mutating func infer(
    _ op: any Operator,
    _ inputs: [[ValueID]],
    _ blocks: [Block],
    _ outputs: [ValueID],
    at origin: Location
  ) throws(Diagnostic) {
    let function = self.function
    let facts = try locating(origin) { () throws(Diagnostic) in
      try checkArguments(op, inputs, in: function)
      let label = outputs.first.map { function[$0].name } ?? type(of: op).name
      return try MLCGraph.infer(op, inputs, blocks: blocks, label: label, in: function)
    }
    guard facts.count == outputs.count else { throw ProgramNote.damaged("'\(type(of: op).name)' lacks outputs") }
    for (id, fact) in zip(outputs, facts) where function.type(id) == fact.type { self.function[id].fact = fact }
  }
}
