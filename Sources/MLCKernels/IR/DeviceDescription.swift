/// What a device is, as data: `Specs/Devices.json`.
package struct DeviceDescription: Hashable, Sendable, Codable {
  package var name, family, isa: String
  /// `x86-64` or `aarch64`.
  package var architecture: String
  /// Whether every processor of the architecture runs its code.
  package var isBaseline: Bool
  /// CPU features that must be present, by Linux' names.
  package var requires: [String]
  package var vectorBits, vectorRegisters: Int
  /// Whether it widens and rounds float16 in one instruction.
  package var convertsFloat16: Bool
  /// Whether it multiplies pairs of bfloat16 and adds them to a float32 in one instruction.
  package var multipliesBFloat16: Bool?
  /// Data cache sizes from the innermost out.
  package var cacheBytes: [Int]
  package var compilerFlags: [String]
  /// The lanes of the widest device in a package, which weights are laid out for so that its devices share them; `nil`
  /// where each device has them packed as suits it alone.
  package var packedLanes: Int?
  /// Whether convolutions whose filters are transformed are left out, which are faster and take more memory.
  package var avoidsWinograd: Bool?
  /// Whether the operands of products are rounded to bfloat16, and multiplied in pairs; sums stay float32.
  package var roundsFactors: Bool?
  /// What was measured on a machine of its kind; `nil` where choices go by estimates alone.
  package var tuning: Tuning?
  /// The one of its `variants` that a strategy shall take; `nil` where it chooses itself.
  package var variant: String?

  /// float32 elements in one vector.
  package var lanes: Int { vectorBits / 32 }
}
