import MLCCore
import MLCKernels
import TestSupport
import Testing

/// Nests of drawn extents that load where data says, beside the reference.
@Suite struct GatherNestTests {
  typealias T = NestCase
  static func f(_ x: Double) -> Scalar { .constant(x, .float32) }

  /// `x[c, index[o]]` for all channels, weighed and guarded: places near each other, apart, and both; long and short.
  private func sampled(_ channels: Int, _ length: Int, _ points: Int, scattered: Bool, _ type: DType) -> NestCase {
    let place = Scalar.load(param: 1, [.axis(1)])
    let value = Scalar.load(
      param: 0,
      [
        .axis(0),
        .value(
          .select(
            .compare(.less, place, .integer(0, .int64)),
            place + .index(.dim(Dim(length)), .int64),
            place
          )
        ),
      ]
    )
    let isMeant = Scalar.compare(.notEqual, .load(param: 2, [.axis(1)]), Self.f(0))
    let weighed = type.widened == .float32 ? value * (.load(param: 2, [.axis(1)]) + Self.f(1)) : value
    let other = Scalar.number(0, type.widened)
    return NestCase(
      name: "sampled_\(type)_\(channels)_\(length)_\(points)_\(scattered)",
      tensors: [
        T.tensor(type, [Dim(channels), Dim(length)]), T.tensor(.int64, [Dim(points)]),
        T.tensor(.float32, [Dim(points)]), T.tensor(type, [Dim(channels), Dim(points)]),
      ],
      nest: LoopNest(
        [Axis(0, Dim(channels)), Axis(1, Dim(points))],
        [.store(param: 3, index: [.axis(0), .axis(1)], axes: [], value: .select(isMeant, weighed, other))]
      ),
      fill: { p, i in
        switch p {
        case 0: Double(i * 7 % 120)
        case 1: Double(scattered ? i * 37 % length - (i % 3 == 0 ? length : 0) : i * length / points)
        default: Double(i % 5)
        }
      },
      fault: 0
    )
  }

  @Test func placesThatChannelsShare() throws {
    var random = SeededNumbers(seed: 31)
    let types: [DType] = [.float32, .float32, .float16, .float64, .int64, .uint8]
    var cases: [NestCase] = []
    for (number, type) in types.enumerated() {
      let channels = [1, 5, 40][number % 3]
      let (length, points) = (Int.random(in: 1...90, using: &random), Int.random(in: 1...700, using: &random))
      cases.append(sampled(channels, length, points, scattered: number % 2 == 0, type))
    }
    for (channels, points) in [(9, 96), (9, 0), (0, 96)] {
      cases.append(sampled(channels, 40, points, scattered: false, .float32))
    }
    for device in CompileAndRun.devices { for test in cases { try test.check(on: device) } }
  }

  /// `x[i − before]` where it is inside, with `before` as data, and mirrored places.
  @Test func paddingByData() throws {
    var random = SeededNumbers(seed: 5)
    var cases: [NestCase] = []
    for number in 0..<3 {
      let (rows, n) = (Int.random(in: 1...6, using: &random), Int.random(in: 2...70, using: &random))
      let (before, after) = ([3, 0, -1][number], Int.random(in: 0...9, using: &random))
      func position(_ axis: Int) -> Index {
        .value(.index(.axis(axis), .int64) - .load(param: 1, [.constant(axis)]))
      }
      let index = [position(0), position(1)]
      let inside = Scalar.inside([(index[0], Dim(rows)), (index[1], Dim(n))])
      let period = Dim(Swift.max(2 * (n - 1), 1))
      let phase = Scalar.index(index[1].modulo(period), .int64)
      let mirrored = Index.value(.binary(.min, phase, .index(.dim(period), .int64) - phase))
      for value in [
        Scalar.select(inside, .load(param: 0, index), Self.f(-1)), .load(param: 0, [.constant(0), mirrored]),
      ] {
        let extents = [Dim(rows + 2), Dim(n + before + after)]
        cases.append(
          NestCase(
            name: "padded_\(rows)_\(n)_\(number)",
            tensors: [T.tensor(.float32, [Dim(rows), Dim(n)]), T.tensor(.int64, [2]), T.tensor(.float32, extents)],
            nest: LoopNest(
              [Axis(0, extents[0]), Axis(1, extents[1])],
              [.store(param: 2, index: [.axis(0), .axis(1)], axes: [], value: value)]
            ),
            fill: { p, i in p == 1 ? Double([1, before][i]) : Double(i) },
            fault: 0
          )
        )
      }
    }
    for device in CompileAndRun.devices { for test in cases { try test.check(on: device) } }
  }

  /// A wrong index is a fault where it is meant only.
  @Test(arguments: [true, false]) func faults(isMeant: Bool) throws {
    var test = sampled(6, 11, 53, scattered: true, .float32)
    let fill = test.fill
    test.fill = { p, i in
      switch (p, i) {
      case (1, 50): 1000
      case (2, 50): isMeant ? 1 : 0
      default: fill(p, i)
      }
    }
    test.fault = isMeant ? 1 : 0
    for device in CompileAndRun.devices { try test.check(on: device) }
  }

  /// Numbers apart in memory, and arithmetic around places that no other loop shares.
  @Test func arithmeticAroundPlaces() throws {
    var cases: [NestCase] = []
    for n in [3, 16, 83] {
      let strided = Scalar.load(param: 0, [.axis(0), .constant(1)])
      let place = Scalar.cast(.binary(.min, .binary(.max, strided, Self.f(0)), Self.f(20)), .int64)
      let found = Scalar.load(param: 1, [.value(place)])
      let value = Scalar.unary(.tanh, found * Self.f(0.1)) + Scalar.unary(.floor, strided) * found - Self.f(0.5)
      cases.append(
        NestCase(
          name: "places_\(n)",
          tensors: [T.tensor(.float32, [Dim(n), 3]), T.tensor(.float32, [21]), T.tensor(.float32, [Dim(n)])],
          nest: LoopNest([Axis(0, Dim(n))], [.store(param: 2, index: [.axis(0)], axes: [], value: value)]),
          fill: { p, i in p == 0 && i == 7 ? .nan : Double(i * 13 % 47) - 9.5 },
          fault: 0
        )
      )
    }
    for device in CompileAndRun.devices { for test in cases { try test.check(on: device) } }
  }
}
