import CMLCKernelABI
import Foundation
import MLCCompiler
import MLCKernels
import MLCTargetC
import Testing

/// The prelude's functions of one float beside the C library's in double precision, over all of float32: every 2011th
/// number, of each sign and magnitude.
@Suite struct FunctionErrorTests {
  /// The greatest error, in units in the last place of the result or, where it is less than `least`, of that.
  private struct Bound {
    let name: String, ulps: Double, least: Double
    /// The function in double precision, the numbers that it is tried on, and its second argument.
    let reference: String, domain: String, second: String?

    init(
      _ name: String,
      _ ulps: Double,
      least: Double = 0,
      reference: String? = nil,
      domain: String = "1",
      second: String? = nil
    ) {
      (self.name, self.ulps, self.least, self.domain, self.second) = (name, ulps, least, domain, second)
      self.reference = reference ?? "m->\(name)(x\(second.map { _ in ", e" } ?? ""))"
    }
  }

  private static let bounds = [
    Bound("exp", 1), Bound("exp2", 1), Bound("expm1", 2), Bound("log", 1), Bound("log1p", 2), Bound("tanh", 2),
    Bound("sigmoid", 3, least: 1e-30, reference: "1 / (1 + m->exp(-x))"), Bound("erf", 7),
    Bound("sin", 2, least: 1, domain: "f >= -1e4f && f <= 1e4f"),
    Bound("cos", 2, least: 1, domain: "f >= -1e4f && f <= 1e4f"),
    Bound("asin", 3), Bound("acos", 2), Bound("atan", 3), Bound("sinh", 4), Bound("cosh", 4), Bound("asinh", 3),
    Bound("acosh", 3), Bound("atanh", 3), Bound("tan", 1, domain: "f >= -1e4f && f <= 1e4f"),
    Bound("pow", 1, second: "(float)(int32_t)((uint32_t)u * 2654435761u) * 0x1p-28f"),
  ]

  private typealias Worst = @convention(c) (OpaquePointer) -> Double

  @Test(arguments: CompileAndRun.devices.map { $0.name }) func errorsAreWithinTheirBounds(_ name: String) throws {
    let device = try DeviceSet([name]).devices[0]
    let folder = FileManager.default.temporaryDirectory.appending(path: "mlc-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (file, object) = (folder.appending(path: "f.c").path(), folder.appending(path: "f.so").path())
    try Self.source(Prelude.text(for: device)).write(toFile: file, atomically: true, encoding: .utf8)
    let messages = try CompileAndRun.compile(device.compilerFlags + CompileAndRun.flags + [file, "-o", object])
    let library = try #require(dlopen(object, RTLD_NOW | RTLD_LOCAL), "\(messages)")
    for bound in Self.bounds {
      let worst = unsafeBitCast(try #require(dlsym(library, "worst_\(bound.name)")), to: Worst.self)
      let ulps = worst(OpaquePointer(mlc_library_math()))
      #expect(ulps <= bound.ulps, "\(bound.name): \(ulps) on \(name)")
    }
  }

  private static func source(_ prelude: String) -> String {
    let functions = bounds.map { bound in
      """
      __attribute__((visibility("default"))) double worst_\(bound.name)(const mlc_math *m) {
        mlc_imports = m;
        double worst = 0;
        for (uint64_t u = 0; u >> 32 == 0; u += 2011) {
          const float f = mlc_from_bits_f32((int32_t)u);
          if (f != f || !(\(bound.domain))) continue;
          \(bound.second.map { "const float e = \($0);" } ?? "")
          const float y = mlc_\(bound.name)_f32(f\(bound.second.map { _ in ", e" } ?? ""));
          const double x = f, error = ulps(y, \(bound.reference), \(bound.least));
          if (error > worst) worst = error;
        }
        return worst;
      }

      """
    }
    return prelude + """

      const mlc_math *mlc_imports;
      static double ulps(float y, double expected, double least) {
        const float rounded = (float)expected;
        if (y == rounded || (y != y && expected != expected)) return 0;
        if (y != y || expected != expected || rounded - rounded != 0 || y - y != 0) return __builtin_inf();
        const double size = __builtin_fmax(__builtin_fabs(expected), __builtin_fmax(least, 0x1p-126));
        int exponent = 0;
        for (double s = size; s >= 2; s /= 2) exponent++;
        for (double s = size; s < 1; s *= 2) exponent--;
        return __builtin_fabs(y - expected) / __builtin_ldexp(1, exponent - 23);
      }
      \(functions.joined(separator: "\n"))
      """
  }
}
