import MLCCore

/// The steps of a program in segments, each of which one device runs, one after the other. A program is cut before its
/// kernels are fused and laid out, so that each device gets kernels that it takes: what goes from segment to segment is
/// plain.
package struct Partition: Sendable {
  package struct Segment: Sendable {
    /// The number of its device.
    package var device: Int
    package var program: KernelProgram
    /// The values that its inputs and outputs are, by position.
    package var inputs: [Int], outputs: [Int]
  }

  /// Values have numbers: the inputs of the whole program, then its outputs, then these, which go from one segment to
  /// others.
  package private(set) var values: [TensorType] = []
  /// One at least.
  package internal(set) var segments: [Segment] = []

  /// Cuts `program` where the device changes. `places` has the number of a device for each step outside of others;
  /// steps that write the same tensor, and those between them, go where the first of them goes. Work on texts is the
  /// processor's, device 0, whatever `places` says.
  package init(_ program: KernelProgram, places: [Int]) {
    precondition(places.count == program.steps.count, "a device for each step")
    let ports = Ports(program)
    let parts = Partition.runs(Partition.hosted(places, program))
    guard parts.count > 1 else {
      let device = parts.first?.device ?? 0
      segments = [
        Segment(device: device, program: program, inputs: Array(0..<ports.inputs), outputs: Array(ports.outputNumbers))
      ]
      return
    }
    let uses = parts.map { Uses(program, $0.steps) }
    var numbers = ports.numbers
    var lastUses: [TensorID: Int] = [:]
    for (index, part) in uses.enumerated() { for tensor in part.tensors { lastUses[tensor] = index } }
    for (index, part) in uses.enumerated() {
      for tensor in part.written where numbers[tensor] == nil && lastUses[tensor] != index {
        numbers[tensor] = ports.count + values.count
        values.append(program[tensor].type)
      }
    }
    var known: Set<String> = []
    for (part, use) in zip(parts, uses) {
      var excerpt = Excerpt(program, use, numbers)
      excerpt.program.knownSizes = known
      excerpt.take(part.steps)
      known.formUnion(excerpt.program.sizesSet)
      segments.append(
        Segment(device: part.device, program: excerpt.program, inputs: excerpt.inputs, outputs: excerpt.outputs)
      )
    }
  }

  /// `places` such that steps that ask for work on texts, and what is united with them, are the processor's.
  private static func hosted(_ places: [Int], _ program: KernelProgram) -> [Int] {
    let isHosts = program.steps.map { $0.asksHost }
    let wanted = zip(places, isHosts).map { $1 ? 0 : $0 }
    let united = Partition.united(wanted, program)
    // Where one is written between steps of a device that write one tensor, the processor does all.
    return zip(united, isHosts).contains { $1 && $0 != 0 } ? places.map { _ in 0 } : united
  }

  /// `places` such that no two devices write one tensor, and that a size is set where it is computed.
  private static func united(_ places: [Int], _ program: KernelProgram) -> [Int] {
    var places = places
    var writers: [TensorID: Int] = [:]
    for (number, step) in program.steps.enumerated() {
      if case .bindSize(_, let tensor) = step, let writer = writers[program.root(tensor)] {
        places[number] = places[writer]
      }
      for tensor in Uses(program, number..<number + 1).written {
        guard let first = writers[tensor] else {
          writers[tensor] = number
          continue
        }
        for between in first...number { places[between] = places[first] }
      }
    }
    return places
  }

  private static func runs(_ places: [Int]) -> [(device: Int, steps: Range<Int>)] {
    var runs: [(device: Int, steps: Range<Int>)] = []
    for (number, device) in places.enumerated() {
      if let last = runs.last, last.device == device {
        runs[runs.count - 1].steps = last.steps.lowerBound..<number + 1
      } else {
        runs.append((device, number..<number + 1))
      }
    }
    return runs
  }
}

/// The numbers of a program's inputs and outputs as values.
private struct Ports {
  private(set) var inputs = 0, outputs = 0
  private(set) var numbers: [TensorID: Int] = [:]

  var count: Int { inputs + outputs }
  var outputNumbers: Range<Int> { inputs..<count }

  init(_ program: KernelProgram) {
    for tensor in program.tensors {
      if case .input(let place) = tensor.kind { inputs = max(inputs, place + 1) }
      if case .output(let place) = tensor.kind { outputs = max(outputs, place + 1) }
    }
    for (index, tensor) in program.tensors.enumerated() {
      if case .input(let place) = tensor.kind { numbers[TensorID(index)] = place }
      if case .output(let place) = tensor.kind { numbers[TensorID(index)] = inputs + place }
    }
  }
}

/// Some steps of a program as one of their own. What has a number as a value is an input of it, or an output where the
/// steps write it.
private struct Excerpt {
  var program = KernelProgram()
  private(set) var inputs: [Int] = [], outputs: [Int] = []
  private let whole: KernelProgram
  private let written: Set<TensorID>
  private let numbers: [TensorID: Int]
  private var places: [TensorID: TensorID] = [:]

  init(_ whole: KernelProgram, _ uses: Uses, _ numbers: [TensorID: Int]) {
    (self.whole, self.numbers) = (whole, numbers)
    written = Set(uses.written)
    program.symbols = whole.symbols
    program.lateSymbols = whole.lateSymbols
    program.sizeLimit = whole.sizeLimit
    program.requirements = whole.requirements
    program.texts = whole.texts
  }

  mutating func take(_ range: Range<Int>) {
    for step in whole.steps[range] { program.steps.append(step.mapTensors { place($0) }) }
  }

  private mutating func place(_ id: TensorID) -> TensorID {
    if let known = places[id] { return known }
    var tensor = whole[id]
    if case .alias(let target) = tensor.kind {
      tensor.kind = .alias(of: place(target))
    } else if let number = numbers[id] {
      if written.contains(id) {
        tensor.kind = .output(outputs.count)
        outputs.append(number)
      } else {
        tensor.kind = .input(inputs.count)
        inputs.append(number)
      }
    }
    let place = program.add(tensor)
    places[id] = place
    return place
  }
}
