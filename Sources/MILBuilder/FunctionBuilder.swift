import MLCCore
import MLCFormatCoreML
import MLCGraph

/// A function of a program, built operator by operator under MIL's names. Shapes and types are inferred at each call; a
/// call whose arguments do not fit throws a `BuildError` with its own line.
///
/// Every operator takes `name`, what it is called in the program.
public final class FunctionBuilder {
  private var builder: MILFunctionBuilder
  private let identity = FunctionIdentity()
  private var outputs: [(name: String, value: ValueID)] = []
  /// The blocks that are open, the function's own first.
  private var blocks = [0]
  private var count = 0

  init(_ name: String, _ call: CallSite) throws(BuildError) {
    do { builder = try MILFunctionBuilder(name, file: call.file) } catch { throw BuildError(error, call) }
  }

  /// An input that is an array. Throws for a name that there is.
  public func input(
    _ name: String,
    shape: [Dimension],
    dataType: DataType = .float32,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    try declare(name, shape, dataType, nil, CallSite(file: file, line: line))
  }

  /// An input that is an image: pixels `[1, C, height, width]` from 0 to 255.
  public func image(
    _ name: String,
    height: Dimension,
    width: Dimension,
    colorLayout: ColorLayout = .rgb,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let space = Feature.ColorSpace(rawValue: colorLayout.rawValue) ?? .rgb
    let shape: [Dimension] = [1, .fixed(space.channels), height, width]
    return try declare(name, shape, .float32, space, CallSite(file: file, line: line))
  }

  /// Memory that begins with zeros and that `read_state` and `coreml_update_state` use.
  public func state(
    _ name: String,
    shape: [Int],
    dataType: DataType = .float16,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> StateValue {
    let call = CallSite(file: file, line: line)
    guard shape.allSatisfy({ $0 >= 0 }) else { throw call.problem("graph.negative-extent", "the shape is \(shape)") }
    let type = TensorType(dataType.dtype, shape.map { Dim($0) })
    do { try builder.state(name, type) } catch { throw BuildError(error, call) }
    return StateValue(name: name, function: identity)
  }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// Makes `value` what the state holds, and gives it. Throws where the types differ, and in blocks.
  @discardableResult
  public func coreml_update_state(
    state: StateValue,
    value: Value,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) -> Value {
    let call = CallSite(file: file, line: line)
    return try result("coreml_update_state", [("state", state), ("value", value)], name, call)
  }

  /// Makes `value` an output.
  public func output(_ name: String, _ value: Value, file: String = #filePath, line: Int = #line) throws(BuildError) {
    let call = CallSite(file: file, line: line)
    outputs.append((name, try id(value, call)))
  }

  /// What stands where `pred` holds, or what stands where it does not: as many values of the same types.
  public func cond(
    pred: Value,
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line,
    true whenTrue: () throws -> [Value],
    false whenFalse: () throws -> [Value]
  ) throws -> [Value] {
    let call = CallSite(file: file, line: line)
    // The blocks are built by a copy of what this holds: nobody may reach it twice.
    var own = builder
    let results = try own.cond(
      try id(pred, call),
      name: label(name, "cond"),
      at: location("cond", name),
      whenTrue: { inner, _ in try self.inBlock(&inner, call) { _ in try whenTrue() } },
      whenFalse: { inner, _ in try self.inBlock(&inner, call) { _ in try whenFalse() } },
      failing: { BuildError($0, call) as any Error }
    )
    builder = own
    return results.map(value)
  }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// Rounds of `body` while `cond`, a truth value, holds of `loop_vars`; what the last round gave.
  public func while_loop(
    loop_vars: [Value],
    name: String? = nil,
    file: String = #filePath,
    line: Int = #line,
    cond: ([Value]) throws -> Value,
    body: ([Value]) throws -> [Value]
  ) throws -> [Value] {
    let call = CallSite(file: file, line: line)
    let carried = try loop_vars.map { (value) throws(BuildError) in try id(value, call) }
    var own = builder
    let results = try own.whileLoop(
      carried,
      name: label(name, "while_loop"),
      at: location("while_loop", name),
      cond: { inner, ids in try self.inBlock(&inner, call, ids) { [try cond($0)] } },
      body: { inner, ids in try self.inBlock(&inner, call, ids, body) },
      failing: { BuildError($0, call) as any Error }
    )
    builder = own
    return results.map(value)
  }

  func finish(_ call: CallSite) throws(BuildError) -> Function {
    guard !outputs.isEmpty else { throw call.problem("coreml.outputs", "the function has no output") }
    do { return try builder.finish(outputs) } catch { throw BuildError(error, call) }
  }

  // MARK: Calls

  /// The results of an operator. Scalars take the element type of the values beside them.
  func results(_ type: String, _ arguments: [(String, (any Argument)?)], _ name: String?, _ call: CallSite)
    throws(BuildError) -> [Value]
  {
    let given = arguments.compactMap { argument in argument.1.map { (name: argument.0, form: $0.form) } }
    let dtype = given.lazy.compactMap { $0.form.firstDType }.first ?? .float32
    var held: [(name: String, value: MILFunctionBuilder.Argument)] = []
    for (port, form) in given { held.append((port, try self.held(form, port, dtype, call))) }
    do {
      let ids = try builder.call(type, held, name: label(name, type), at: location(type, name))
      return ids.map(value)
    } catch { throw BuildError(error, call) }
  }

  func result(_ type: String, _ arguments: [(String, (any Argument)?)], _ name: String?, _ call: CallSite)
    throws(BuildError) -> Value
  {
    try results(type, arguments, name, call)[0]
  }

  private func held(_ form: ArgumentForm, _ port: String, _ dtype: DType, _ call: CallSite) throws(BuildError)
    -> MILFunctionBuilder.Argument
  {
    switch form {
    case .value(let value): return .values([try id(value, call)])
    case .state(let state):
      guard state.function === identity else {
        throw call.problem("coreml.state", "'\(state.name)' is a state of another function")
      }
      return .state(state.name)
    case .constant(let constant): return .constant(constant.tensor)
    case .integers(let list, let isList):
      let isOperand = !isList && dtype.isFloat && ["x", "y", "a", "b", "cond"].contains(port)
      return .constant(Tensor(isOperand ? dtype : .int32, isList ? [list.count] : [], list))
    case .numbers(let list, let isList):
      return .constant(Tensor(dtype.isFloat ? dtype : .float32, isList ? [list.count] : [], list))
    case .texts(let list, let isList): return .constant(Tensor(isList ? [list.count] : [], strings: list))
    case .flags(let list, let isList):
      return .constant(Tensor(.bool, isList ? [list.count] : [], list.map { $0 ? 1 : 0 } as [Int]))
    case .list(let forms):
      var ids: [ValueID] = []
      for form in forms {
        guard case .value(let value) = form else {
          throw call.problem("coreml.parameter", "'\(port)' is a list of other things than values")
        }
        ids.append(try id(value, call))
      }
      return .values(ids)
    }
  }

  private func declare(
    _ name: String,
    _ shape: [Dimension],
    _ dataType: DataType,
    _ image: Feature.ColorSpace?,
    _ call: CallSite
  ) throws(BuildError) -> Value {
    var bounds: [Int: ClosedRange<Int>] = [:]
    var extents: [Dim] = []
    for (axis, dimension) in shape.enumerated() {
      switch dimension {
      case .fixed(let size):
        guard size >= 0 else { throw call.problem("graph.negative-extent", "an extent of '\(name)' is \(size)") }
        extents.append(Dim(size))
      case .range(let range):
        guard range.lowerBound >= 0 else { throw call.problem("graph.negative-extent", "'\(name)' may have \(range)") }
        bounds[axis] = range
        extents.append(.symbol("\(name)_d\(axis)"))
      }
    }
    do {
      return value(try builder.input(name, TensorType(dataType.dtype, extents), bounds: bounds, image: image))
    } catch { throw BuildError(error, call) }
  }

  // MARK: Values

  private func value(_ id: ValueID) -> Value {
    let type = builder.type(id)
    return Value(
      id: id,
      function: identity,
      block: blocks[blocks.count - 1],
      shape: type.shape.map { $0.constant },
      dataType: DataType(type.dtype)
    )
  }

  private func id(_ value: Value, _ call: CallSite) throws(BuildError) -> ValueID {
    guard value.function === identity, blocks.contains(value.block) else {
      throw call.problem("coreml.undefined-value", "the value is of another function, or of a block that is closed")
    }
    return value.id
  }

  private func label(_ name: String?, _ type: String) -> String {
    if let name { return name }
    count += 1
    return "\(type)_\(count - 1)"
  }

  private func location(_ type: String, _ name: String?) -> Location { Location(node: name, op: type) }

  /// Runs `body` with this builder in the place of `inner`, in a block of its own.
  private func inBlock(
    _ inner: inout MILFunctionBuilder,
    _ call: CallSite,
    _ arguments: [ValueID] = [],
    _ body: ([Value]) throws -> [Value]
  ) throws -> [ValueID] {
    let outer = builder
    builder = inner
    count += 1
    blocks.append(count)
    defer {
      inner = builder
      builder = outer
      blocks.removeLast()
    }
    return try body(arguments.map(value)).map { (value) throws(BuildError) in try id(value, call) }
  }
}

extension ArgumentForm {
  /// The element type of the first tensor in it.
  fileprivate var firstDType: DType? {
    switch self {
    case .value(let value): value.dataType == .string ? nil : value.dataType.dtype
    case .constant(let constant): constant.tensor.dtype
    case .list(let forms): forms.lazy.compactMap(\.firstDType).first
    default: nil
    }
  }
}
