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
  struct Input {
    let value: TensorValue
    let strides: [Int]
    let isDense: Bool
  }

  /// A value of a member, or what steps compute on the way to it.
  struct Place {
    var slot: Int32 = -1
    var lastUse = 0
    var isKept = false
  }

  let shape: [Int]
  var inputs: [Input] = []
  var constants: [UInt32] = []
  var steps: [mlct_step] = []
  var places: [Place] = []
  var slotCount = 0
  /// Where the value of each member is.
  var placeOf: [ObjectIdentifier: UInt32] = [:]

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
}
