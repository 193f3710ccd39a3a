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
  private var imageOutputs: [String: Feature.ColorSpace] = [:]
  /// The blocks that are open, the function's own first.
  var blocks = [0]
  /// How many calls and blocks there were.
  var count = 0

  init(_ name: String, _ call: CallSite) { builder = MILFunctionBuilder(name, file: call.file) }

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
  /// Makes `value` what the state holds, in a branch or a round of a loop too, and gives it. Throws where the types
  /// differ, and in the condition of a loop.
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

  /// Makes `value`, pixels `[1, C, height, width]` from 0 to 255, an output that is an image.
  public func output(
    _ name: String,
    _ value: Value,
    colorLayout: ColorLayout,
    file: String = #filePath,
    line: Int = #line
  ) throws(BuildError) {
    let space = colorLayout.space
    guard value.shape.count == 4, value.shape[0] == 1, value.shape[1] == space.channels else {
      let shape = value.shape.map { $0.map { "\($0)" } ?? "?" }.joined(separator: ", ")
      let problem = "'\(name)', an image of \(space.channels) channels, is [\(shape)]"
      throw CallSite(file: file, line: line).problem("coreml.type", problem)
    }
    try output(name, value, file: file, line: line)
    imageOutputs[name] = space
  }

  func finish(_ call: CallSite) throws(BuildError) -> Function {
    guard !outputs.isEmpty else { throw call.problem("coreml.outputs", "the function has no output") }
    do { return try builder.finish(outputs, images: imageOutputs) } catch { throw BuildError(error, call) }
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
