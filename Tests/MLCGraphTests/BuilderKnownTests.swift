import MLCCore
import MLCGraph
import MLCOps
import Testing

/// What importers are told of values before anything runs.
@Suite struct BuilderKnownTests {
  /// Chains of arithmetic on constants and sizes, against the same in Swift; with data in them nothing is known.
  @Test(arguments: 0..<40) func followsFromConstantsAndSizes(seed: UInt64) throws {
    var numbers = RepeatableNumbers(seed)
    var builder = Builder()
    let extents = (0..<3).map { _ in numbers.next(in: 1...9) }
    let x = builder.input("x", TensorType(.float32, extents.map { Dim($0) }))
    let data = builder.input("data", TensorType(.float32, [3]))
    let sizes = try builder(Cast(.float32), try builder(Shape(dtype: .int32), x))
    var (value, expected, isKnown) = (sizes, extents.map { Double($0) }, true)
    for _ in 0..<numbers.next(in: 1...20) {
      let step = Double(numbers.next(in: -3...3))
      let constant = builder.constant(Tensor.scalar(.float32, step))
      switch numbers.next(in: 0...4) {
      case 0: (value, expected) = (try builder(Add(), value, constant), expected.map { $0 + step })
      case 1: (value, expected) = (try builder(Sub(), value, constant), expected.map { $0 - step })
      case 2: (value, expected) = (try builder(Maximum(), value, constant), expected.map { max($0, step) })
      case 3: (value, expected) = (try builder(Neg(), value), expected.map { -$0 })
      default:
        guard numbers.next(in: 0...5) == 0 else { continue }
        (value, isKnown) = (try builder(Add(), value, data), false)
      }
    }
    let known = builder.known(value)
    #expect(known?.doubles == (isKnown ? expected : nil))
    #expect(known == nil || known?.type == builder.fact(value).type)
  }

  /// From within blocks what is around them is seen, not what they take.
  @Test func blocksSeeWhatIsAroundThem() throws {
    var builder = Builder()
    let two = builder.constant(Tensor.scalar(.float32, 2))
    let four = try builder(Add(), two, two)
    let carried = builder.beginBlock(inputs: [("carried", TensorType(.float32, [Dim]()))])[0]
    let (six, unknown) = (try builder(Add(), four, two), try builder(Add(), four, carried))
    #expect(builder.known(six)?.doubles == [6])
    #expect(builder.known(unknown) == nil)
    _ = builder.endBlock(yielding: [four])
  }

  /// What gives a value is looked for in the block being filled and in those around it.
  @Test func whatGivesAValue() throws {
    var first = Builder()
    let (x, y) = (first.input("x", TensorType(.float32, [2])), first.constant(Tensor.scalar(.float32, 1)))
    let sum = try first(Add(), x, y)
    var builder = Builder(first.finish([("sum", sum)]))
    func names(_ values: ValueID...) -> [String?] { values.map { builder.operation(giving: $0)?.name } }
    #expect(names(x, y, sum) == [nil, "const", "add"])
    let product = try builder(Mul(), sum, y)
    let carried = builder.beginBlock(inputs: [("carried", TensorType(.float32, [2]))])[0]
    let inner = try builder(Sub(), carried, product)
    #expect(names(y, sum, product, carried, inner) == ["const", "add", "mul", nil, "sub"])
    _ = builder.endBlock(yielding: [inner])
    let last = try builder(Neg(), product)
    #expect(names(product, carried, inner, last) == ["mul", nil, nil, "neg"])
  }

  /// Neither long ways nor large tensors are gone through, and nothing that is drawn is known.
  @Test func stopsSomewhere() throws {
    var builder = Builder()
    let one = builder.constant(Tensor.scalar(.float32, 1))
    var sum = one
    for _ in 0..<200 { sum = try builder(Add(), sum, one) }
    #expect(builder.known(sum)?.doubles == [201])
    for _ in 0..<100 { sum = try builder(Add(), sum, one) }
    #expect(builder.known(sum) == nil)
    let large = builder.constant(Tensor(.int32, [5000], Array(0..<5000)))
    let negative = try builder(Neg(), large)
    #expect(builder.known(negative) == nil)
  }
}

/// The same numbers for the same seed (SplitMix64).
private struct RepeatableNumbers {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 }

  mutating func next(in range: ClosedRange<Int>) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return range.lowerBound + Int((z ^ (z >> 31)) % UInt64(range.count))
  }
}
