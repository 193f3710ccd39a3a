import MLCCompiler
import MLCCore
import Testing

@Suite struct ComparisonTests {
  private func compare(
    _ x: [Double],
    _ y: [Double],
    _ dtype: DType = .float32,
    _ tolerance: Tolerance = Tolerance(relative: 1e-3, absolute: 1e-4)
  ) throws(Diagnostic) -> Comparison {
    let (expected, actual) = (Tensor(dtype, [x.count], x), Tensor(dtype, [y.count], y))
    return try Comparison(expected: expected, actual: actual, tolerance: tolerance)
  }

  @Test func equalTensorsDifferInNothing() throws {
    let c = try compare([1, -2, .nan, .infinity], [1, -2, .nan, .infinity], .float32, .exact)
    #expect(c.passed && c.failures == 0 && c.worstElement == nil)
    #expect(c.maximumAbsoluteError == 0 && c.maximumRelativeError == 0 && c.maximumULP == 0)
    #expect(c.signalToNoise == .infinity && c.cosine == 1 && c.argmaxAgreement == 1)
  }

  @Test func errorsAreMeasured() throws {
    let c = try compare([1, 2, 4, 0], [1.5, 2, 4, 0], .float64)
    #expect(c.maximumAbsoluteError == 0.5 && c.maximumRelativeError == 0.5)
    #expect(abs(c.signalToNoise - 19.242792860618817) < 1e-12)  // 10 log10(21 / 0.25)
    #expect(abs(c.cosine - 21.5 / (21 * 22.25).squareRoot()) < 1e-15)
    #expect(!c.passed && c.failures == 1 && c.worstElement == 0)
  }

  @Test func toleranceIsTheSumOfBothParts() throws {
    let tolerance = Tolerance(relative: 0.25, absolute: 0.5)
    #expect(try compare([2, -2], [3, -3], .float64, tolerance).passed)
    #expect(try compare([2, -2], [3.001, -3.001], .float64, tolerance).failures == 2)
  }

  @Test func unitsInTheLastPlaceAreOfTheActualType() throws {
    #expect(try compare([1], [Double(Float(1).nextUp)]).maximumULP == 1)
    #expect(try compare([0.0], [-0.0]).maximumULP == 0)
    #expect(try compare([Double(Float.leastNonzeroMagnitude)], [-Double(Float.leastNonzeroMagnitude)]).maximumULP == 2)
    #expect(try compare([1], [1 + 0x1p-10], .float16).maximumULP == 1)
    #expect(try compare([1], [1 + 0x1p-7], .bfloat16).maximumULP == 1)
    let reference = Tensor(.float32, [1], [1.0001])
    let half = Tensor(.float16, [1], [1.0])
    let mixed = try Comparison(expected: reference, actual: half, tolerance: .exact)
    #expect(mixed.maximumULP == 0 && !mixed.passed)
    #expect(try compare([1], [2], .int32).maximumULP == nil)
    let extremes = try compare([-Double.greatestFiniteMagnitude], [.greatestFiniteMagnitude], .float64)
    #expect(extremes.maximumULP == 2 * Double.greatestFiniteMagnitude.bitPattern)
  }

  @Test func nonFiniteElementsMustAgree() throws {
    let c = try compare([.nan, .infinity, .infinity, 1, 2], [1, -.infinity, .infinity, .nan, 2])
    #expect(c.nonFiniteMismatches == 3 && c.failures == 3 && c.worstElement == 0)
    #expect(c.maximumAbsoluteError == 0)
  }

  @Test func argmaxIsTakenAlongTheLastAxis() throws {
    let x = Tensor(.float32, [2, 2], [1, 2, 4, 3] as [Double])
    let y = Tensor(.float32, [2, 2], [2, 1, 4, 3] as [Double])
    #expect(try Comparison(expected: x, actual: y, tolerance: .exact).argmaxAgreement == 0.5)
    #expect(try compare([1], [1]).argmaxAgreement == nil)
    #expect(try compare([], []).argmaxAgreement == nil)
  }

  @Test func zerosHaveADefinedSignal() throws {
    #expect(try compare([0, 0], [0, 0]).signalToNoise == .infinity)
    #expect(try compare([0, 0], [0, 1]).signalToNoise == -.infinity)
    #expect(try compare([0, 0], [0, 1]).cosine == 0)
    #expect(try compare([], []).passed)
  }

  @Test func largeMagnitudesDoNotOverflow() throws {
    let c = try compare([1e300, 0], [1e300, 1e297], .float64)
    #expect(abs(c.signalToNoise - 60) < 1e-9)
  }

  @Test func wideIntegersAreComparedExactly() throws {
    let x = Tensor(.int64, [1], [1 << 53])
    let y = Tensor(.int64, [1], [1 << 53 + 1])
    #expect(try !Comparison(expected: x, actual: y, tolerance: .exact).passed)
  }

  @Test func stringsAreEqualOrNot() throws {
    let x = Tensor([2], strings: ["a", "b"])
    let y = Tensor([2], strings: ["a", "c"])
    let c = try Comparison(expected: x, actual: y, tolerance: .exact)
    #expect(c.failures == 1 && c.worstElement == 1)
    #expect(try Comparison(expected: x, actual: x, tolerance: .exact).passed)
  }

  @Test func differentShapesAreADiagnostic() {
    let error = #expect(throws: Diagnostic.self) { try compare([1], [1, 2]) }
    #expect(error?.id == "verify.shape" && error?.kind == .mismatch)
    let mixed = #expect(throws: Diagnostic.self) {
      try Comparison(expected: Tensor([1], strings: ["a"]), actual: Tensor(.int8, [1], [1]), tolerance: .exact)
    }
    #expect(mixed?.id == "verify.dtype")
  }
}

@Suite struct ToleranceTests {
  @Test func growsWithTheRootOfTheReduction() {
    let short = Tolerance.derived(dtype: .float32, longestReduction: 1)
    let long = Tolerance.derived(dtype: .float32, longestReduction: 10_000)
    #expect(short.relative == 0x1p-17)
    #expect(long.relative == 64 * 101 * 0x1p-24 && long.absolute == long.relative / 16)
  }

  @Test func followsTheStoredType() {
    #expect(Tolerance.derived(dtype: .float16, longestReduction: 0).relative == 64 * (0x1p-11 + 0x1p-24))
    let begun = Tolerance.derived(dtype: .float16, longestReduction: 100, sumsHalves: true)
    #expect(begun.relative == 64 * (0x1p-11 + 0x1p-24 * 10 + 0x1p-11 * 4))
    #expect(Tolerance.derived(dtype: .float64, longestReduction: 4).relative == 64 * 3 * 0x1p-53)
    #expect(Tolerance.derived(dtype: .int32, longestReduction: 4) == .exact)
    #expect(Tolerance.derived(dtype: .bool, longestReduction: 4) == .exact)
  }
}
