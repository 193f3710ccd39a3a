import MLCCore
import MLCGraph

/// An operator that becomes kernels.
package protocol Lowerable: Operator {
  /// Appends kernels that compute the operation's outputs. Written from the operator's definition, not from `evaluate`:
  /// each checks the other.
  func lower(in context: inout LoweringContext) throws(Diagnostic)
}

/// What a lowering works with: the program so far and the operation at hand.
package struct LoweringContext: Sendable {
  package var program = KernelProgram()
  var steps: [KernelProgram.Step] = []
  /// How many branches are around the operation.
  private(set) var nesting = 0
  /// The requirements of `program`.
  var required: Set<SizeRequirement> = []
  /// The tensor of each lowered value.
  var tensors: [ValueID: TensorID] = [:]
  /// Results of scatters that are written over `data`, which nothing else reads.
  var overwriting: Set<ValueID> = []
  let function: Function
  let budget: Budget
  package internal(set) var operation: Operation

  init(function: Function, budget: Budget = Budget()) {
    (self.function, self.budget) = (function, budget)
    operation = Operation(Const(), [], outputs: [])
  }

  package var origin: Location {
    operation.origin.within(Location(op: operation.name)).within(Location(file: function.file))
  }

  // MARK: Arguments and results

  package func fact(_ name: String) -> Fact { function.fact(operation.argument(name)!) }
  package func optionalFact(_ name: String) -> Fact? { operation.argument(name).map(function.fact) }
  package func facts(_ name: String) -> [Fact] { operation.arguments(name).map(function.fact) }
  package func outputFact(_ index: Int = 0) -> Fact { function.fact(operation.outputs[index]) }

  /// The tensor of a required argument.
  package mutating func input(_ name: String) -> TensorID { tensor(of: operation.argument(name)!) }
  package mutating func optionalInput(_ name: String) -> TensorID? {
    guard let value = operation.argument(name) else { return nil }
    return tensor(of: value)
  }
  package mutating func inputs(_ name: String) -> [TensorID] {
    operation.arguments(name).map { value in tensor(of: value) }
  }

  /// The tensor that holds output `index`; made at the first call.
  package mutating func output(_ index: Int = 0) -> TensorID { tensor(of: operation.outputs[index]) }

  /// Says that output `index` is `tensor` itself, or its elements under the output's shape. On one side of a branch,
  /// where nothing holds the sizes to as many elements, the elements are copied.
  package mutating func setOutput(_ index: Int = 0, to tensor: TensorID) {
    let value = operation.outputs[index]
    let type = function.type(value)
    if program[tensor].shape == type.shape {
      tensors[value] = tensor
    } else if nesting > 0, program[tensor].shape.reduce(1, *) != type.elementCount {
      copyElements(of: tensor, to: output(index))
    } else {
      let root = program.root(tensor)
      let alias = KernelTensor(function[value].name, program[tensor].dtype, type.shape, .alias(of: root))
      tensors[value] = program.add(alias)
    }
  }

  package mutating func tensor(of value: ValueID) -> TensorID {
    if let known = tensors[value] { return known }
    let fact = function.fact(value)
    let kind = fact.value.map { KernelTensor.Kind.constant($0) } ?? .temporary
    let id = program.add(KernelTensor(function[value].name, fact.dtype, fact.shape, kind))
    tensors[value] = id
    return id
  }

  /// A tensor that no value of the graph names.
  package mutating func temporary(_ suffix: String, _ dtype: DType, _ shape: [Dim]) -> TensorID {
    let base = operation.outputs.first.map { function[$0].name } ?? operation.name
    return program.add(KernelTensor("\(base).\(suffix)", dtype, shape, .temporary))
  }

  package mutating func constant(_ value: Tensor, _ suffix: String = "const") -> TensorID {
    let base = operation.outputs.first.map { function[$0].name } ?? operation.name
    return program.add(KernelTensor("\(base).\(suffix)", value.dtype, value.type.shape, .constant(value)))
  }

  package mutating func compressed(_ value: CompressedConstant, _ suffix: String) -> TensorID {
    let base = operation.outputs.first.map { function[$0].name } ?? operation.name
    let shape = value.shape.map { Dim($0) }
    return program.add(KernelTensor("\(base).\(suffix)", value.dtype, shape, .compressed(value)))
  }

  /// The same elements under another shape.
  package mutating func alias(_ tensor: TensorID, _ shape: [Dim]) -> TensorID {
    let old = program[tensor]
    return old.shape == shape ? tensor : program.add(KernelTensor(old.name, old.dtype, shape, .alias(of: tensor)))
  }

  // MARK: Kernels

  package mutating func append(_ step: KernelProgram.Step) { steps.append(step) }

  /// Puts `step` behind the last one that sets one of the late sizes `names`.
  mutating func insert(_ step: KernelProgram.Step, behindSizes names: Set<String>) {
    let last = steps.lastIndex { !KernelProgram.sizesSet(in: [$0]).isDisjoint(with: names) }
    steps.insert(step, at: last.map { $0 + 1 } ?? steps.count)
  }

  package mutating func append(_ family: String, _ kernel: KernelParams, _ body: Kernel.Body) {
    steps.append(.kernel(Kernel(family, kernel.params, body, origins: [origin])))
  }

  /// Appends a kernel that stores `value(axes)` at every position of `output`. A copy of `program` that `value` reads
  /// from is made after `output`: tensors added while it lives copy them all.
  package mutating func map(
    _ family: String,
    to output: TensorID,
    _ value: (inout KernelParams, [Index]) throws(Diagnostic) -> Scalar
  ) throws(Diagnostic) {
    let shape = program[output].shape
    var params = KernelParams()
    let indices = shape.indices.map { Index.axis($0) }
    let scalar = try value(&params, indices)
    let axes = shape.enumerated().map { Axis($0, $1) }
    let store = LoopNest.Stage.store(param: params.write(output), index: indices, axes: [], value: scalar)
    append(family, params, .loopNest(LoopNest(axes, [store])))
  }

  /// Lowers a nested block and gives its steps; its outputs' tensors can be read afterwards.
  mutating func lowered(_ block: Block) throws(Diagnostic) -> [KernelProgram.Step] {
    let (outer, operation) = (steps, self.operation)
    steps = []
    nesting += 1
    try lower(block)
    nesting -= 1
    let inner = steps
    (steps, self.operation) = (outer, operation)
    return inner
  }
}

/// The parameters of a kernel under construction.
package struct KernelParams: Sendable {
  package private(set) var params: [Kernel.Param] = []
  package init() {}

  /// The position of `tensor` as a parameter read; added when new.
  package mutating func read(_ tensor: TensorID) -> Int { position(tensor, .read) }
  package mutating func write(_ tensor: TensorID) -> Int { position(tensor, .write) }
  package mutating func readWrite(_ tensor: TensorID) -> Int { position(tensor, .readWrite) }

  /// `tensor[indices]`.
  package mutating func load(_ tensor: TensorID, _ indices: [Index]) -> Scalar {
    .load(param: read(tensor), indices)
  }

  private mutating func position(_ tensor: TensorID, _ access: Kernel.Param.Access) -> Int {
    if let index = params.firstIndex(where: { $0.tensor == tensor }) {
      if params[index].access != access { params[index].access = .readWrite }
      return index
    }
    params.append(Kernel.Param(tensor, access))
    return params.count - 1
  }
}
