/// The device descriptions shipped with the toolchain: `Specs/Devices.json`, a list, those of one architecture from the
/// plainest to the most capable.
package enum DeviceCatalog {
  package static var json: [UInt8] { PackageResources.Devices_json }
}
