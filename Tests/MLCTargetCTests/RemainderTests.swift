import MLCCore
import MLCKernels
import Testing

/// Remainders of floats, beside the reference.
@Suite struct RemainderTests {
  typealias T = NestCase

  private func remainder(
    _ function: Scalar.Binary,
    _ name: String,
    _ fill: @escaping (Int, Int) -> Double
  ) -> NestCase {
    let value = Scalar.binary(function, .load(param: 0, [.axis(0)]), .load(param: 1, [.axis(0)]))
    return NestCase(
      name: name,
      tensors: [T.tensor(.float32, [67]), T.tensor(.float32, [67]), T.tensor(.float32, [67])],
      nest: LoopNest([Axis(0, 67)], [.store(param: 2, index: [.axis(0)], axes: [], value: value)]),
      fill: fill
    )
  }

  /// Quotients that are whole numbers and others, of both signs; and those of many bits.
  @Test(arguments: [Scalar.Binary.fmod, .mod]) func remainders(_ function: Scalar.Binary) throws {
    let cases = [
      remainder(function, "near") { p, i in
        p == 0 ? Double(i * 37 % 101 - 50) / 4 : Double(i % 7 - 8) * (i % 2 == 0 ? 1 : -0.5)
      },
      remainder(function, "far") { p, i in
        p == 0 ? Double((i * 7919 % 65536 - 32768) << (i % 16)) : Double(i % 5 + 1) / 1024
      },
    ]
    for device in CompileAndRun.devices { for test in cases { try test.check(on: device) } }
  }

  @Test func infinitiesAndZeros() throws {
    let test = remainder(.fmod, "none") { p, i in
      let values = [Double.infinity, 3, -.infinity, .nan, 0, -7.5]
      return values[(p == 0 ? i : i / 6) % 6]
    }
    for device in CompileAndRun.devices { try test.check(on: device) }
  }
}
