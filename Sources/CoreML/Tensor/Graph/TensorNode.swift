import Foundation
import Synchronization

/// How a node's elements come about.
enum TensorWork: Sendable {
  /// One value everywhere, as a lane.
  case fill(UInt32)
  /// Elements of operands that are broadcast to the node's shape.
  case elementwise(ElementwiseOperation)
  /// The operand's elements under another shape.
  case view
  case kernel(any TensorKernel)
}

/// Computes all elements of a tensor from those of others.
protocol TensorKernel: Sendable {
  func run(_ inputs: [TensorValue], _ output: TensorValue)
}

/// A tensor that is there, or what it takes to compute it. Nodes are made before they are computed, and keep what they
/// are made of until they are.
final class TensorNode: @unchecked Sendable {  // constants, and what the lock guards
  let shape: [Int]
  let kind: ScalarKind
  let count: Int
  /// Tensors in callers' hands that are this node, and operands of nodes that are not computed yet.
  let interest = Atomic<Int>(0)
  private let state: Mutex<State>

  struct State: Sendable {
    var memory: TensorMemory?
    var work: TensorWork?
    var inputs: [TensorNode]
    var isClaimed = false
    var waiting: [DispatchSemaphore] = []
  }

  init(_ shape: [Int], _ kind: ScalarKind, _ work: TensorWork, _ inputs: [TensorNode] = []) {
    (self.shape, self.kind, count) = (shape, kind, Self.checkedCount(shape, kind))
    state = Mutex(State(work: work, inputs: inputs))
    for input in inputs { input.interest.add(1, ordering: .relaxed) }
  }

  init(_ shape: [Int], _ kind: ScalarKind, memory: TensorMemory) {
    (self.shape, self.kind, count) = (shape, kind, Self.checkedCount(shape, kind))
    state = Mutex(State(memory: memory, inputs: []))
  }

  deinit { Self.release(state.withLock { state in Self.takeInputs(&state) }) }

  /// Copies go over twice as many axes, and kernels over up to 64.
  private static let mostAxes = 32

  /// How many elements there are; a precondition that a tensor can have the shape.
  static func checkedCount(_ shape: [Int], _ kind: ScalarKind) -> Int {
    precondition(shape.count <= mostAxes, "a tensor with \(shape.count) axes; \(mostAxes) are the most")
    guard let layout = ArrayLayout(shape, width: kind.width) else {
      preconditionFailure("no tensor can have the shape \(shape)")
    }
    return layout.count
  }

  /// What there is to compute; `nil` when it is computed.
  var pending: (work: TensorWork, inputs: [TensorNode])? {
    state.withLock { state in state.work.map { ($0, state.inputs) } }
  }

  /// The elements, once they are there.
  var value: TensorValue? {
    state.withLock { state in state.memory }.map { TensorValue(memory: $0, shape: shape, kind: kind) }
  }

  // MARK: Computing

  /// Whether the caller is the one who computes this node.
  func claim() -> Bool {
    state.withLock { state in
      if state.isClaimed || state.memory != nil { return false }
      state.isClaimed = true
      return true
    }
  }

  /// Whether someone has claimed the node and not finished.
  var isBeingComputed: Bool { state.withLock { state in state.isClaimed && state.memory == nil } }

  /// Waits until the node, which someone else has claimed, is computed.
  func wait() {
    let semaphore = DispatchSemaphore(value: 0)
    let isComputed = state.withLock { state in
      if state.memory == nil { state.waiting.append(semaphore) }
      return state.memory != nil
    }
    if !isComputed { semaphore.wait() }
  }

  /// The claimed node is computed: it forgets what it was made of.
  func finish(_ memory: TensorMemory) {
    let waiting = state.withLock { state in
      state.memory = memory
      state.work = nil
      let waiting = state.waiting
      state.waiting = []
      return waiting
    }
    for semaphore in waiting { semaphore.signal() }
    Self.release(state.withLock { state in Self.takeInputs(&state) })
  }

  private static func takeInputs(_ state: inout sending State) -> [TensorNode] {
    let inputs = state.inputs
    state.inputs = []
    return inputs
  }

  /// Lets go of `nodes`, and one after the other of those that nobody else holds: chains are as long as they like. The
  /// list is the function's own, or what it takes out would stay in the caller's.
  private static func release(_ nodes: consuming [TensorNode]) {
    var nodes = consume nodes
    while var node = nodes.popLast() {
      node.interest.subtract(1, ordering: .relaxed)
      if isKnownUniquelyReferenced(&node) { nodes += node.state.withLock { state in takeInputs(&state) } }
    }
  }
}

/// A tensor in a caller's hands.
final class TensorHandle: Sendable {
  let node: TensorNode
  /// What the tensor is as a literal, which takes on the type of what it meets.
  let literal: Double?

  init(_ node: TensorNode, literal: Double? = nil) {
    (self.node, self.literal) = (node, literal)
    node.interest.add(1, ordering: .relaxed)
  }

  deinit { node.interest.subtract(1, ordering: .relaxed) }
}
