import MLCCore
import MLCPackage
import MLCText

/// One function's memory, ready for inputs of one shape. Running it allocates nothing but the outputs,
/// whose memory it takes again once nobody holds them.
///
/// `@unchecked Sendable`: whoever takes a context out of its model's list, or makes one, is the only one to use it.
package final class Context: @unchecked Sendable {  // one user at a time
  private let interface: FunctionInterface
  private let steps: [ExecutableStep]
  private let workspace: any Workspace
  /// The sizes it is ready for, by symbol number.
  package private(set) var sizes: [Int] = []
  /// Shapes and bytes of the outputs with late sizes at their bounds.
  private var bounds: [(shape: [Int], byteCount: Int)] = []
  private var lateBounds: [Int] = []
  private let pointers: PortPointers
  private let places: [OutputPlace]
  /// Where outputs of open extents are computed, by number: what they take is known when they are there.
  private var openMemory: [Int: OutputMemory] = [:]
  private var isBound = false
  /// The texts of the run; `nil` where neither code nor inputs and outputs have any.
  private let texts: TextMemory?

  init(_ interface: FunctionInterface, _ executable: any Executable, profiling: Bool) throws(Diagnostic) {
    (self.interface, steps) = (interface, executable.steps)
    workspace = try executable.makeWorkspace(profiling: profiling)
    let hasTexts = (interface.inputs + interface.outputs).contains { $0.type.dtype == .string }
    texts = (executable.texts ?? (hasTexts ? TextNumbers() : nil)).map { TextMemory($0) }
    places = interface.outputs.map { _ in OutputPlace() }
    pointers = PortPointers(inputs: interface.inputs.count, outputs: interface.outputs.count)
  }

  package var arenaBytes: Int { workspace.arenaBytes }
  /// What a caller provides for each output: bytes with late sizes at their bounds, the limit where these are open.
  package var outputByteCounts: [Int] { bounds.map { $0.byteCount } }
  /// Nanoseconds of the last run by step; empty unless profiling.
  var nanoseconds: UnsafeMutableBufferPointer<UInt64> { workspace.nanoseconds }

  /// Makes ready for other sizes. Throws `runtime.bind`, `runtime.output-shape`, `runtime.too-large` or
  /// `runtime.memory`.
  func bind(_ sizes: [Int]) throws(Diagnostic) {
    if isBound && sizes == self.sizes { return }
    isBound = false
    var values = Dictionary(zip(interface.symbols.map { $0.name }, sizes)) { a, _ in a }
    lateBounds = []
    for late in interface.lateSymbols {
      guard let bound = late.bound.evaluate(values), bound >= 0 else {
        throw Diagnostic("runtime.output-shape", "the bound of '\(late.name)', \(late.bound), is impossible here")
      }
      values[late.name] = bound
      lateBounds.append(bound)
    }
    bounds = []
    for port in interface.outputs { bounds.append(try bound(port, values)) }
    for (index, size) in (sizes + lateBounds).enumerated() { workspace.sizes[index] = Int64(size) }
    guard try workspace.bind() else {
      let named = zip(interface.symbols, sizes).map { "'\($0.name)' = \($1)" }.joined(separator: ", ")
      throw Diagnostic("runtime.bind", "the model cannot have inputs of these sizes: \(named)")
    }
    (self.sizes, isBound) = (sizes, true)
  }

  /// The most that an output may take. One of open extents has no shape yet.
  private func bound(
    _ port: FunctionInterface.Port,
    _ values: [String: Int]
  ) throws(Diagnostic) -> (shape: [Int], byteCount: Int) {
    guard let limit = interface.elementLimit(port.type) else { return try extent(port, values) }
    guard let bytes = port.type.dtype.stored.byteCount(limit), bytes <= maximumTensorBytes else {
      throw Diagnostic("runtime.too-large", "output '\(port.name)' may have \(limit) elements")
    }
    return ([], bytes)
  }

  private func extent(
    _ port: FunctionInterface.Port,
    _ values: [String: Int]
  ) throws(Diagnostic) -> (shape: [Int], byteCount: Int) {
    var shape: [Int] = []
    for (axis, dim) in port.type.shape.enumerated() {
      guard let extent = dim.evaluate(values), extent >= 0 else {
        throw Diagnostic("runtime.output-shape", "output '\(port.name)': dimension \(axis), \(dim), is impossible here")
      }
      shape.append(extent)
    }
    guard let count = shape.checkedProduct, let bytes = port.type.dtype.stored.byteCount(count),
      bytes <= maximumTensorBytes
    else { throw Diagnostic("runtime.too-large", "output '\(port.name)' would have the shape \(shape)") }
    return (shape, bytes)
  }
}

// MARK: Running

extension Context {
  /// Runs on inputs whose shapes give the bound sizes, into new tensors; but what outputs by number are `given` memory
  /// for goes there.
  func predict(_ inputs: [Tensor], given: [Int: UnsafeMutableRawPointer] = [:]) throws(Diagnostic) -> [Tensor?] {
    var memory: [OutputMemory?] = []
    memory.reserveCapacity(bounds.count)
    for (index, bound) in bounds.enumerated() {
      if let given = given[index] {
        memory.append(nil)
        pointers.outputs[index] = given
        continue
      }
      var block = try open(index)
      if block == nil { block = try OutputMemory(byteCount: bound.byteCount, at: places[index]) }
      memory.append(block)
      pointers.outputs[index] = block?.base
    }
    try run(inputs)
    var outputs: [Tensor?] = []
    outputs.reserveCapacity(bounds.count)
    for (index, port) in interface.outputs.enumerated() {
      guard let block = memory[index] else {
        outputs.append(nil)
        continue
      }
      let (shape, byteCount) = try actual(index)
      let storage =
        openMemory[index] == nil
        ? block.storage(byteCount)
        : Storage(byteCount: byteCount) { $0.copyMemory(from: block.bytes(byteCount)) }
      guard let tensor = Tensor(port.type.dtype.stored, shape, storage: storage) else {
        preconditionFailure("\(byteCount) bytes for \(port.type.dtype)\(shape)")
      }
      outputs.append(port.type.dtype == .string ? texts!.texts(of: tensor) : tensor)
    }
    return outputs
  }

  /// Where an output of open extents is computed; `nil` for others.
  private func open(_ index: Int) throws(Diagnostic) -> OutputMemory? {
    if let block = openMemory[index] { return block }
    guard interface.elementLimit(interface.outputs[index].type) != nil else { return nil }
    let block = try OutputMemory(byteCount: bounds[index].byteCount, at: places[index])
    openMemory[index] = block
    return block
  }

  /// Runs into the caller's memory and answers the outputs' shapes. Throws `runtime.string-tensor` where an output has
  /// texts, `runtime.output-memory` when a buffer is shorter than `outputByteCounts`, or than what an output of open
  /// extents takes, or not aligned to its elements.
  func predict(_ inputs: [Tensor], into outputs: [UnsafeMutableRawBufferPointer]) throws(Diagnostic) -> [[Int]] {
    guard outputs.count == bounds.count else {
      throw Diagnostic("runtime.output-memory", "\(bounds.count) outputs, memory for \(outputs.count)", kind: .usage)
    }
    for (index, port) in interface.outputs.enumerated() {
      if port.type.dtype == .string {
        throw Diagnostic(
          "runtime.string-tensor",
          "output '\(port.name)' has texts, which take new memory",
          kind: .usage
        )
      }
      let block = try open(index)
      try check(outputs[index], takes: block == nil ? bounds[index].byteCount : 0, port)
      pointers.outputs[index] = block?.base ?? outputs[index].baseAddress ?? pointers.somewhere
    }
    try run(inputs)
    var shapes: [[Int]] = []
    for (index, port) in interface.outputs.enumerated() {
      let (shape, byteCount) = try actual(index)
      shapes.append(shape)
      guard let block = openMemory[index] else { continue }
      try check(outputs[index], takes: byteCount, port)
      outputs[index].copyMemory(from: block.bytes(byteCount))
    }
    return shapes
  }

  private func check(
    _ memory: UnsafeMutableRawBufferPointer,
    takes needed: Int,
    _ port: FunctionInterface.Port
  ) throws(Diagnostic) {
    let alignment = max(1, port.type.dtype.bitWidth / 8)
    if memory.count >= needed, Int(bitPattern: memory.baseAddress).isMultiple(of: alignment) { return }
    throw Diagnostic(
      "runtime.output-memory",
      "output '\(port.name)' needs \(needed) bytes aligned to \(alignment), \(memory.count) bytes given",
      kind: .usage
    )
  }

  /// Shape and bytes of an output after a run.
  private func actual(_ index: Int) throws(Diagnostic) -> (shape: [Int], byteCount: Int) {
    if lateBounds.isEmpty { return bounds[index] }
    var values = Dictionary(zip(interface.symbols.map { $0.name }, sizes)) { a, _ in a }
    for (number, late) in interface.lateSymbols.enumerated() {
      let value = Int(workspace.sizes[sizes.count + number])
      guard (0...lateBounds[number]).contains(value) else {
        throw Diagnostic("runtime.late-size", "'\(late.name)' became \(value), above \(lateBounds[number])", kind: .bug)
      }
      values[late.name] = value
    }
    let actual = try extent(interface.outputs[index], values)
    guard actual.byteCount <= bounds[index].byteCount else {
      throw Diagnostic("runtime.late-size", "output '\(interface.outputs[index].name)' outgrew its bound", kind: .bug)
    }
    return actual
  }

  private func run(_ inputs: [Tensor]) throws(Diagnostic) {
    for (number, bound) in lateBounds.enumerated() { workspace.sizes[sizes.count + number] = Int64(bound) }
    let fault = withPointers(to: try numbered(inputs), from: 0) {
      workspace.run(inputs: pointers.inputs.baseAddress!, outputs: pointers.outputs.baseAddress!, texts: texts)
    }
    if let fault { throw fault.diagnostic(steps) }
  }

  /// With texts as their numbers.
  private func numbered(_ inputs: [Tensor]) throws(Diagnostic) -> [Tensor] {
    guard let texts else { return inputs }
    texts.begin()
    var numbered = inputs
    for (index, port) in interface.inputs.enumerated() where port.type.dtype == .string {
      numbered[index] = try texts.numbers(of: inputs[index], port.name)
    }
    return numbered
  }

  /// Runs `body` while `pointers.inputs` hold the elements of `inputs[first...]`.
  private func withPointers(to inputs: [Tensor], from first: Int, _ body: () -> Fault?) -> Fault? {
    guard first < inputs.count else { return body() }
    return inputs[first].withBytes { bytes in
      guard let base = bytes.baseAddress else {
        // An empty tensor still has a place.
        pointers.inputs[first] = UnsafeRawPointer(pointers.somewhere)
        return withPointers(to: inputs, from: first + 1, body)
      }
      if Int(bitPattern: base).isMultiple(of: max(1, inputs[first].dtype.bitWidth / 8)) {
        pointers.inputs[first] = base
        return withPointers(to: inputs, from: first + 1, body)
      }
      let copy = Storage(byteCount: bytes.count) { $0.copyMemory(from: bytes) }
      pointers.inputs[first] = copy.bytes.baseAddress
      return withExtendedLifetime(copy) { withPointers(to: inputs, from: first + 1, body) }
    }
  }
}
