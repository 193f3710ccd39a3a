/// What a device is, as data: `Specs/Devices/*.json`.
package struct DeviceDescription: Hashable, Sendable, Codable {
  package var name, family, isa: String
  /// CPU features that must be present, by Linux' names.
  package var requires: [String]
  package var vectorBits, vectorRegisters: Int
  /// Data cache sizes from the innermost out.
  package var cacheBytes: [Int]
  package var compilerFlags: [String]

  /// float32 elements in one vector.
  package var lanes: Int { vectorBits / 32 }
}
