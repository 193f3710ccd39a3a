import MLCCore
import MLCGraph
import MLCOps

/// ONNX `Scan` → `while_loop` over the places of an axis of each scanned input.
///
/// Operator set 8 has batches in front, which an outer loop goes through, and a length for each. Throws `onnx.scan`,
/// `scan.axis`, and what `ONNXRounds` throws.
package enum ONNXScan: ONNXOperator {
  package static let types = ["Scan"]
  package static let sinceOpset = 8
  package static var operation: String? { "while_loop" }
  package static var note: String { "what is carried keeps its rank" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    guard let body = try node.graph("body") else { throw Diagnostic("onnx.scan", "the body is missing") }
    let first = context.opset < 9 ? 1 : 0
    let (inputs, scanned) = (node.inputs.count - first, try node.int("num_scan_inputs", default: 0))
    guard scanned > 0, scanned <= inputs, body.inputs.count == inputs, body.outputs.count >= inputs - scanned,
      node.outputs.count <= body.outputs.count
    else {
      throw Diagnostic(
        "onnx.scan",
        "a body of \(body.inputs.count) inputs and \(body.outputs.count) outputs does not fit \(scanned) scanned of "
          + "\(inputs) inputs"
      )
    }
    let states = inputs - scanned
    var values: [ValueID] = []
    for index in 0..<inputs { values.append(try context.required(first + index)) }
    let stacked = body.outputs.count - states
    let form = first == 1 ? "directions" : "scan_input_directions"
    var scan = Scan(
      body: body,
      states: Array(values[..<states]),
      scanned: Array(values[states...]),
      axes: try numbers(node, "scan_input_axes", scanned),
      isReversed: try flags(node, form, scanned),
      stacksReversed: try flags(node, "scan_output_directions", stacked)
    )
    if first == 1 { return try scan.inBatches(context.input(0), in: &context) }
    let axes = try numbers(node, "scan_output_axes", stacked)
    var results = try scan.append(to: &context)
    for (index, axis) in axes.enumerated() {
      results[states + index] = try moved(results[states + index], to: axis, in: &context)
    }
    return results
  }

  /// One number for each of `count`, 0 where the attribute is left out.
  private static func numbers(_ node: ONNXNode, _ name: String, _ count: Int) throws(Diagnostic) -> [Int] {
    let numbers = try node.ints(name) ?? [Int](repeating: 0, count: count)
    guard numbers.count == count else {
      throw Diagnostic("onnx.scan", "'\(name)' has \(numbers.count) numbers for \(count)")
    }
    return numbers
  }

  private static func flags(_ node: ONNXNode, _ name: String, _ count: Int) throws(Diagnostic) -> [Bool] {
    let numbers = try numbers(node, name, count)
    guard numbers.allSatisfy({ $0 == 0 || $0 == 1 }) else {
      throw Diagnostic("onnx.scan", "'\(name)' is \(numbers); a direction is 0 or 1")
    }
    return numbers.map { $0 == 1 }
  }

  /// `stack` with its first axis as axis `axis`.
  private static func moved(_ stack: ValueID, to axis: Int, in context: inout ONNXContext) throws(Diagnostic) -> ValueID
  {
    let rank = context.fact(stack).rank
    let place = try normalized(axis: axis, rank: rank, "scan")
    if place == 0 { return stack }
    var order = Array(1..<rank)
    order.insert(0, at: place)
    return try context.emit(Transpose(order), stack)
  }
}

/// The parts of a `Scan`.
private struct Scan {
  let body: ONNXGraph
  var states: [ValueID]
  var scanned: [ValueID]
  /// Of each of `scanned`.
  var axes: [Int]
  var isReversed: [Bool]
  /// Of each stack.
  var stacksReversed: [Bool]
  /// How many places count, an int64 scalar; all where there is none.
  var length: ValueID?

  /// The states behind the last place, and the stacks.
  mutating func append(to context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    for index in scanned.indices {
      axes[index] = try normalized(axis: axes[index], rank: context.fact(scanned[index]).rank, "scan")
    }
    let extents = zip(scanned, axes).map { context.fact($0).shape[$1] }
    if let other = extents.first(where: { !ONNXContext.fits($0, extents[0]) }) {
      throw Diagnostic("onnx.scan", "the scanned axes have \(extents[0]) and \(other) places")
    }
    let places = try context.cast(try context.extent(of: scanned[0], axis: axes[0]), to: .int64)
    let (scan, limit) = (self, length ?? places)
    let rounds = ONNXRounds(
      id: "onnx.scan",
      limit: limit,
      capacity: length == nil ? nil : places,
      initial: states,
      names: body.inputs.prefix(states.count).map(\.name),
      reversed: stacksReversed
    ) { (context, round, carried) throws(Diagnostic) in try scan.round(round, carried, of: limit, in: &context) }
    return try rounds.append(to: &context)
  }

  private func round(_ round: ValueID, _ carried: [ValueID], of limit: ValueID, in context: inout ONNXContext)
    throws(Diagnostic) -> ONNXRounds.Round
  {
    var back: ValueID?
    if isReversed.contains(true) {
      back = try context.place(round, fromEndOf: limit)
    }
    var elements: [ValueID] = []
    for (index, value) in scanned.enumerated() {
      let place = isReversed[index] ? back ?? round : round
      elements.append(try context.emit(Gather(axis: axes[index]), value, place))
    }
    let before = states.map { context.fact($0).type }
    let results = try context.outputs(of: body, for: (carried + elements).map { .tensor($0) })
    var outputs = try results.map { value throws(Diagnostic) in try context.tensor(value, "what the body gives") }
    for index in outputs.indices {
      outputs[index] = try context.asDeclared(outputs[index], body.outputs[index]) { declared in
        index >= before.count || declared == before[index]
      }
    }
    return .init(holds: nil, next: Array(outputs.prefix(states.count)), rows: Array(outputs.dropFirst(states.count)))
  }

  /// The same for each element of the first axis of states and inputs, stacked; of `lengths` places each.
  func inBatches(_ lengths: ValueID?, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    for value in states + scanned where context.fact(value).rank == 0 {
      throw Diagnostic("onnx.scan", "\(context.fact(value).type) has no axis of batches")
    }
    if let lengths, !context.fact(lengths).dtype.isInteger || context.fact(lengths).rank != 1 {
      throw Diagnostic("onnx.scan", "the lengths are \(context.fact(lengths).type), not a vector of integers")
    }
    let scan = self
    let rounds = ONNXRounds(
      id: "onnx.scan",
      limit: try context.cast(try context.extent(of: scanned[0], axis: 0), to: .int64),
      initial: [],
      names: []
    ) { (context, batch, _) throws(Diagnostic) in
      var one = scan
      for index in one.states.indices {
        one.states[index] = try context.emit(Gather(axis: 0), one.states[index], batch)
      }
      for index in one.scanned.indices {
        one.scanned[index] = try context.emit(Gather(axis: 0), one.scanned[index], batch)
      }
      if let lengths {
        one.length = try context.cast(try context.emit(Gather(axis: 0), lengths, batch), to: .int64)
      }
      return .init(holds: nil, next: [], rows: try one.append(to: &context))
    }
    return try rounds.append(to: &context)
  }
}
