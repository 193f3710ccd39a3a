import MLCCore
import MLCFormatCoreML
import MLCGraph
import MLCOps

extension FunctionBuilder {
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
    let pred = try id(pred, call)
    let blocks = [try block([], call) { _ in try whenTrue() }, try block([], call) { _ in try whenFalse() }]
    return try region(Cond(), [pred], blocks, name, call)
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
    let blocks = [try block(carried, call) { [try cond($0)] }, try block(carried, call, body)]
    return try region(WhileLoop(), carried, blocks, name, call)
  }

  private func region(_ op: any Operator, _ inputs: [ValueID], _ blocks: [Block], _ name: String?, _ call: CallSite)
    throws(BuildError) -> [Value]
  {
    let type = type(of: op).name
    do {
      return try builder.region(op, inputs, blocks, name: label(name, type), at: location(type, name)).map(value)
    } catch { throw BuildError(error, call) }
  }

  /// A block whose inputs have the types of `carried`, and which gives what `body` does.
  private func block(_ carried: [ValueID], _ call: CallSite, _ body: ([Value]) throws -> [Value]) throws -> Block {
    count += 1
    blocks.append(count)
    let arguments = builder.beginBlock(like: carried)
    var results: [ValueID] = []
    defer { blocks.removeLast() }
    do {
      results = try body(arguments.map(value)).map { (value) throws(BuildError) in try id(value, call) }
    } catch {
      _ = builder.endBlock(yielding: [])
      throw error
    }
    return builder.endBlock(yielding: results)
  }
}
