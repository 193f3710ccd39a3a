import MLCCore
import MLCFormatCoreML
import MLCGraph

/// A function of a program, built operator by operator under MIL's names. Shapes and types are inferred at each call; a
/// call whose arguments do not fit throws a `BuildError` with its own line.
///
/// Every operator takes `name`, what it is called in the program.
public final class FunctionBuilder {
  var builder: MILFunctionBuilder
  let identity = FunctionIdentity()
  private var outputs: [(name: String, value: ValueID)] = []
  /// The blocks that are open, the function's own first.
  var blocks = [0]
  /// How many calls and blocks there were.
  var count = 0

  init(_ name: String, _ call: CallSite) { builder = MILFunctionBuilder(name, file: call.file) }

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
    try result("coreml_update_state", ["state": state, "value": value], name, file, line)
  }

  /// Makes `value` an output.
  public func output(_ name: String, _ value: Value, file: String = #filePath, line: Int = #line) throws(BuildError) {
    let call = CallSite(file: file, line: line)
    outputs.append((name, try id(value, call)))
  }

  func finish(_ call: CallSite) throws(BuildError) -> Function {
    guard !outputs.isEmpty else { throw call.problem("coreml.outputs", "the function has no output") }
    do { return try builder.finish(outputs) } catch { throw BuildError(error, call) }
  }

  private func declare(
    _ name: String,
    _ shape: [Dimension],
    _ dataType: DataType,
    _ image: Feature.ColorSpace?,
    _ call: CallSite
  ) throws(BuildError) -> Value {
    guard dataType.dtype.bitWidth >= 8 || dataType == .bool else {
      throw call.problem("coreml.type", "'\(name)' is \(dataType.rawValue), which only compressed constants are")
    }
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

  func value(_ id: ValueID) -> Value {
    let type = builder.type(id)
    return Value(
      id: id,
      function: identity,
      block: blocks[blocks.count - 1],
      shape: type.shape.map { $0.constant },
      dataType: DataType(type.dtype)
    )
  }

  func id(_ value: Value, _ call: CallSite) throws(BuildError) -> ValueID {
    guard value.function === identity, blocks.contains(value.block) else {
      throw call.problem("coreml.undefined-value", "the value is of another function, or of a block that is closed")
    }
    return value.id
  }

  func label(_ name: String?, _ type: String) -> String {
    if let name { return name }
    count += 1
    return "\(type)_\(count - 1)"
  }

  func location(_ type: String, _ name: String?) -> Location { Location(node: name, op: type) }
}
