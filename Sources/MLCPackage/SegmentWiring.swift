import MLCCore

/// Where a segment of a function runs, and on what.
package struct SegmentWiring: Hashable, Sendable {
  /// The number of its device in the target.
  package var device: Int
  /// The numbers of the values that are its inputs and outputs, by position.
  package var inputs: [Int], outputs: [Int]
  /// The late sizes that it sets, sorted.
  package var sizes: [String]
  /// The numbers of the function's states whose output may have the memory of their input; those of a whole function.
  package var statesInPlace: [Int]

  package init(device: Int, inputs: [Int], outputs: [Int], sizes: [String], statesInPlace: [Int] = []) {
    (self.device, self.inputs, self.outputs, self.sizes) = (device, inputs, outputs, sizes)
    self.statesInPlace = statesInPlace
  }

  /// That of a function whose only segment it is.
  package init(whole function: FunctionInterface) {
    let inputs = function.inputs.count
    self.init(
      device: 0,
      inputs: Array(0..<inputs),
      outputs: Array(inputs..<inputs + function.outputs.count),
      sizes: function.lateSymbols.map { $0.name }.sorted()
    )
  }

  /// Whether it is that of `function`'s only segment.
  package func isWhole(_ function: FunctionInterface) -> Bool {
    var whole = SegmentWiring(whole: function)
    whole.statesInPlace = statesInPlace
    return self == whole
  }

  /// What the code is made for: it takes states in other memory too.
  var identity: [String: JSON] {
    [
      "device": .integer(device), "inputs": .array(inputs.map { .integer($0) }),
      "outputs": .array(outputs.map { .integer($0) }), "sizes": .array(sizes.map { .string($0) }),
    ]
  }

  var members: [String: JSON] {
    var members = identity
    if !statesInPlace.isEmpty { members["statesInPlace"] = .array(statesInPlace.map { .integer($0) }) }
    return members
  }

  init(_ object: JSONObject) throws(Diagnostic) {
    self.init(
      device: try object.size("device"),
      inputs: try object.sizes("inputs", atMost: PackageLimits.ports),
      outputs: try object.sizes("outputs", atMost: PackageLimits.ports),
      sizes: try object.strings("sizes", atMost: PackageLimits.symbols),
      statesInPlace: object.has("statesInPlace")
        ? try object.sizes("statesInPlace", atMost: PackageLimits.ports) : []
    )
  }
}

extension Manifest.Code {
  /// What is wrong with how the segments of `function` are joined, if anything: a value that is read before it is
  /// written, or written twice, or never, a size that is not the function's.
  func inconsistency(_ function: FunctionInterface, devices: Int) -> String? {
    let (inputs, outputs) = (function.inputs.count, function.outputs.count)
    let count = inputs + outputs + values.count
    let known = Set(function.symbols.map { $0.name } + function.lateSymbols.map { $0.name })
    let late = Set(function.lateSymbols.map { $0.name })
    var isWritten = (0..<count).map { $0 < inputs }
    for type in values {
      for dim in type.shape where !dim.symbols.isSubset(of: known) { return "nothing binds a size of a value" }
    }
    for segment in segments.map({ $0.wiring }) {
      guard segment.device < devices else { return "a segment runs on device \(segment.device) of \(devices)" }
      for value in segment.inputs {
        guard value < count, isWritten[value] else { return "value \(value) is read before it is there" }
      }
      for value in segment.outputs {
        guard value < count, !isWritten[value] else { return "value \(value) is written twice" }
        isWritten[value] = true
      }
      guard late.isSuperset(of: segment.sizes) else { return "a segment sets a size that the function does not have" }
      guard segment.statesInPlace.allSatisfy(function.states.indices.contains),
        segment.statesInPlace.isEmpty || segments.count == 1
      else { return "a segment changes a state in place that is not its own" }
    }
    if let value = isWritten.firstIndex(of: false) { return "nothing writes value \(value)" }
    return nil
  }
}
