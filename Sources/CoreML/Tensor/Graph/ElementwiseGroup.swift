import CMLCTensor

/// Element-wise operations of one shape that are computed together, block by block: what lies between them never
/// leaves the cache.
struct ElementwiseGroup {
  struct Member {
    let node: TensorNode
    let operation: ElementwiseOperation
    let inputs: [TensorNode]
    /// Whether the elements are stored, since someone else wants them.
    let isKept: Bool
  }

  /// What is read, and at which strides, 0 along axes that are broadcast.
  private struct Input {
    let value: TensorValue
    let strides: [Int]
    let isDense: Bool
  }

  /// A value of a member, or what steps compute on the way to it.
  private struct Place {
    var slot: Int32 = -1
    var lastUse = 0
    var isKept = false
  }

  private let shape: [Int]
  private var inputs: [Input] = []
  private var constants: [UInt32] = []
  private var steps: [mlct_step] = []
  private var places: [Place] = []
  private var slotCount = 0
  /// Where the value of each member is.
  private var placeOf: [ObjectIdentifier: UInt32] = [:]

  /// `nil` when an operand is not computed, after waiting for whoever does.
  init?(_ members: [Member], shape: [Int]) {
    self.shape = shape.isEmpty ? [1] : shape
    guard readOperands(members) else { return nil }
    for member in members { append(member) }
    assignSlots()
  }

  // MARK: From nodes to steps

  /// Gives operands that are no members their places: first those that are read, then constants.
  private mutating func readOperands(_ members: [Member]) -> Bool {
    let inside = Set(members.map { ObjectIdentifier($0.node) })
    var fixed: [(ObjectIdentifier, UInt32)] = []
    for node in members.lazy.flatMap({ $0.inputs }) where !inside.contains(ObjectIdentifier(node)) {
      let id = ObjectIdentifier(node)
      if placeOf[id] != nil { continue }
      if let value = node.value {
        if node.count == 1 {
          fixed.append((id, node.kind.lane(node.kind.number(at: value.base))))
          placeOf[id] = .max
        } else {
          placeOf[id] = UInt32(inputs.count)
          inputs.append(input(value))
        }
      } else if case .fill(let lane) = node.pending?.work {
        fixed.append((id, lane))
        placeOf[id] = .max
      } else {
        node.waitIfClaimed()
        return false
      }
    }
    var constantPlaces: [UInt32: UInt32] = [:]
    for (id, lane) in fixed {
      if let place = constantPlaces[lane] {
        placeOf[id] = place
      } else {
        let place = UInt32(inputs.count + constants.count)
        constants.append(lane)
        (constantPlaces[lane], placeOf[id]) = (place, place)
      }
    }
    places = Array(repeating: Place(), count: inputs.count + constants.count)
    return true
  }

  private func input(_ value: TensorValue) -> Input {
    let dense = ArrayLayout.denseStrides(value.shape)
    let missing = shape.count - value.shape.count
    let strides = shape.indices.map { axis in
      axis < missing || value.shape[axis - missing] == 1 ? 0 : dense[axis - missing]
    }
    return Input(value: value, strides: strides, isDense: value.count == shape.reduce(1, *))
  }

  private mutating func append(_ member: Member) {
    let operands = member.inputs.map { placeOf[ObjectIdentifier($0)] ?? 0 }
    let kind = member.inputs.last?.kind ?? member.node.kind
    for (index, code) in member.operation.steps(kind, to: member.node.kind).enumerated() {
      let target = UInt32(places.count)
      let read = index == 0 ? operands : [target - 1]
      for place in read { places[Int(place)].lastUse = steps.count }
      let (a, b, c) = (read[0], read.count > 1 ? read[1] : 0, read.count > 2 ? read[2] : 0)
      steps.append(mlct_step(op: UInt16(code.rawValue), target: target, a: a, b: b, c: c))
      places.append(Place(lastUse: steps.count - 1))
    }
    placeOf[ObjectIdentifier(member.node)] = UInt32(places.count - 1)
    if member.isKept { places[places.count - 1].isKept = true }
  }

  /// Memory for what does not lie in memory already; that of values which nothing reads any more is used again.
  private mutating func assignSlots() {
    var free: [Int32] = []
    func isRead(inPlace index: Int) -> Bool { inputs[index].isDense && inputs[index].value.kind.width == 4 }
    for index in 0..<inputs.count + constants.count where index >= inputs.count || !isRead(inPlace: index) {
      places[index].slot = Int32(slotCount)
      slotCount += 1
    }
    let fixed = UInt32(inputs.count + constants.count)
    for (index, step) in steps.enumerated() {
      for operand in Set([step.a, step.b, step.c]) where operand >= fixed {
        let place = places[Int(operand)]
        if place.lastUse == index, !place.isKept { free.append(place.slot) }
      }
      if let slot = free.popLast() {
        places[Int(step.target)].slot = slot
      } else {
        places[Int(step.target)].slot = Int32(slotCount)
        slotCount += 1
      }
    }
  }

  // MARK: Running

  /// Computes everything; the elements of `kept` go to `memories`.
  mutating func run(_ kept: [TensorNode], _ memories: [TensorMemory]) {
    let count = shape.reduce(1, *)
    var outputs: [mlct_operand] = []
    for (node, memory) in zip(kept, memories) {
      let place = placeOf[ObjectIdentifier(node)] ?? 0
      // Lanes that are elements are written where they shall lie.
      if node.kind.width == 4 { places[Int(place)].slot = -1 }
      outputs.append(
        mlct_operand(base: memory.base, strides: nil, place: place, type: node.kind.code, is_dense: true)
      )
    }
    let alive = slotCount + inputs.count + outputs.count
    let block = min(max(Self.cachedLanes / max(alive, 1) / 64 * 64, 256), 4096)
    let strides = inputs.flatMap { $0.strides }
    let slots = places.map { $0.slot }
    strides.withUnsafeBufferPointer { strides in
      let operands = inputs.enumerated().map { index, input in
        mlct_operand(
          base: input.value.base,
          strides: strides.baseAddress.map { $0 + index * shape.count },
          place: UInt32(index),
          type: input.value.kind.code,
          is_dense: input.isDense
        )
      }
      Self.withProgram(steps, operands, outputs, shape, block, constants, slots) { program in
        nonisolated(unsafe) let program = program  // constant while threads run it
        let (lanes, placeCount) = (slotCount * block, places.count)
        Parallel.run(count, grain: max(Self.leastPart / steps.count, block), alignment: block) { part in
          withUnsafeTemporaryAllocation(byteCount: max(lanes, 1) * 4, alignment: 64) { memory in
            withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: placeCount) { pointers in
              Parallel.kernels.run(
                program,
                part.lowerBound,
                part.upperBound,
                memory.baseAddress,
                pointers.baseAddress
              )
            }
          }
        }
      }
    }
  }

  /// Lanes that stay in a first-level cache of 32 KB, and steps on elements that are worth another thread.
  private static let (cachedLanes, leastPart) = (6144, 1 << 17)

  private static func withProgram(
    _ steps: [mlct_step],
    _ inputs: [mlct_operand],
    _ outputs: [mlct_operand],
    _ shape: [Int],
    _ block: Int,
    _ constants: [UInt32],
    _ slots: [Int32],
    _ body: (UnsafePointer<mlct_program>) -> Void
  ) {
    steps.withUnsafeBufferPointer { steps in
      inputs.withUnsafeBufferPointer { inputs in
        outputs.withUnsafeBufferPointer { outputs in
          shape.withUnsafeBufferPointer { extents in
            constants.withUnsafeBufferPointer { constants in
              slots.withUnsafeBufferPointer { slots in
                var program = mlct_program()
                (program.steps, program.step_count) = (steps.baseAddress, steps.count)
                (program.inputs, program.input_count) = (inputs.baseAddress, inputs.count)
                (program.outputs, program.output_count) = (outputs.baseAddress, outputs.count)
                (program.extents, program.rank, program.block) = (extents.baseAddress, extents.count, block)
                (program.constants, program.constant_count) = (constants.baseAddress, constants.count)
                (program.slots, program.place_count) = (slots.baseAddress, slots.count)
                body(&program)
              }
            }
          }
        }
      }
    }
  }

  /// One value everywhere.
  static func fill(_ output: TensorValue, _ lane: UInt32) {
    withUnsafeBytes(of: lane) { bytes in
      guard let first = bytes.baseAddress else { return }
      // A float of 16 bits is no part of the lane that stands for it.
      var half = Float16(Float(bitPattern: lane)).bitPattern
      let source = output.kind == .float16 ? nil : first
      withUnsafePointer(to: &half) { half in
        copyStrided(output.kind.width, [output.count], source ?? UnsafeRawPointer(half), [0], output.base, [1])
      }
    }
  }
}

/// Copies elements of `width` bytes between arrays of these strides, in elements, on all cores.
func copyStrided(
  _ width: Int,
  _ extents: [Int],
  _ source: UnsafeRawPointer,
  _ sourceStrides: [Int],
  _ target: UnsafeMutableRawPointer,
  _ targetStrides: [Int]
) {
  // Threads share the longest of the outer axes.
  let axis = extents.indices.dropLast().max { extents[$0] < extents[$1] } ?? 0
  let count = extents.reduce(1, *)
  if count == 0 { return }
  guard !extents.isEmpty else { return target.copyMemory(from: source, byteCount: width) }
  let each = max(count / extents[axis], 1)
  nonisolated(unsafe) let (source, target) = (source, target)  // parts are apart
  Parallel.run(extents[axis], grain: max((1 << 16) / each, 1)) { part in
    var extents = extents
    extents[axis] = part.count
    mlct_copy(
      width,
      extents.count,
      extents,
      source + part.lowerBound * sourceStrides[axis] * width,
      sourceStrides,
      target + part.lowerBound * targetStrides[axis] * width,
      targetStrides
    )
  }
}
