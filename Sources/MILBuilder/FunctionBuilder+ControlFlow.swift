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
    let blocks = [
      try block([], .branch, call) { _ in try whenTrue() }, try block([], .branch, call) { _ in try whenFalse() },
    ]
    do {
      return try builder.cond(pred, blocks, name: label(name, "cond"), at: location("cond", name)).map(value)
    } catch { throw BuildError(error, call) }
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
    let blocks = [
      try block(carried, .condition, call) { [try cond($0)] }, try block(carried, .round, call, body),
    ]
    let type = "while_loop"
    do {
      return try builder.whileLoop(carried, blocks, name: label(name, type), at: location(type, name)).map(value)
    } catch { throw BuildError(error, call) }
  }

  private enum BlockKind { case branch, condition, round }

  /// A block whose inputs have the types of `carried`, and which gives what `body` does.
  private func block(
    _ carried: [ValueID],
    _ kind: BlockKind,
    _ call: CallSite,
    _ body: ([Value]) throws -> [Value]
  ) throws -> Block {
    count += 1
    blocks.append(count)
    let arguments = builder.beginBlock(like: carried, ofLoop: kind != .branch)
    var results: [ValueID] = []
    defer { blocks.removeLast() }
    do {
      results = try body(arguments.map(value)).map { (value) throws(BuildError) in try id(value, call) }
    } catch {
      builder.abandonBlock()
      throw error
    }
    do { return try builder.endBlock(yielding: results, isCondition: kind == .condition) } catch {
      throw BuildError(error, call)
    }
  }
}
