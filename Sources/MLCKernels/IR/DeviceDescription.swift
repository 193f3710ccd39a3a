import MLCCore

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
  /// The types, narrower than float32, that it multiplies faster than float32 (`RoundedFactors`).
  package var narrowFactors: [DType]?
  /// How many times as long as those of a float32 products of a pair of bfloat16 take in vectors; once unless given.
  package var pairTimes: Double?
  /// The types that it multiplies in tiles, registers of 16 rows of 64 bytes; int8 by uint8.
  package var tileFactors: [DType]?
  /// Data cache sizes from the innermost out.
  package var cacheBytes: [Int]
  package var compilerFlags: [String]
  /// The lanes of the widest device in a package, which weights are laid out for so that its devices share them; `nil`
  /// where each device has them packed as suits it alone.
  package var packedLanes: Int?
  /// Whether convolutions whose filters are transformed are left out, which are faster and take more memory.
  package var avoidsWinograd: Bool?
  /// What the operands of products are rounded to before they are multiplied; `nil` where they are not.
  package var factors: DType?
  /// What was measured on a machine of its kind; `nil` where choices go by estimates alone.
  package var tuning: Tuning?
  /// The one of its `variants` that a strategy shall take; `nil` where it chooses itself.
  package var variant: String?

  /// float32 elements in one vector.
  package var lanes: Int { vectorBits / 32 }

  /// Bytes of the second-level data cache.
  package var secondCacheBytes: Int { cacheBytes.dropFirst().first ?? 1 << 18 }

  /// Whether products of `type`, narrower than float32, are faster than those of float32.
  package func multiplies(_ type: DType) -> Bool { narrowFactors?.contains(type) == true }

  /// Whether products of `type` are formed in tiles, whatever factors of floats are rounded to.
  package func multipliesInTiles(_ type: DType) -> Bool { tileFactors?.contains(type) == true }
}
