/// The device descriptions shipped with the toolchain, one JSON file each under `Specs/Devices`.
package enum DeviceCatalog {
  /// Raw JSON of every shipped description, those of one architecture from the plainest to the most capable.
  package static var files: [[UInt8]] {
    [
      PackageResources.x86_64_v2_json, PackageResources.x86_64_v3_json, PackageResources.x86_64_v4_json,
      PackageResources.armv8_a_json, PackageResources.armv8_2_a_json,
    ]
  }
}
