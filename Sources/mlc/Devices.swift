import ArgumentParser
import MLCCompiler
import MLCCore
import MLCKernels
import MLCRuntime

struct Devices: Command {
  static let configuration = CommandConfiguration(
    abstract: "Shows what this machine is and which targets it runs.",
    discussion: """
      Examples:
        mlc devices
        mlc devices --json
      """
  )

  @OptionGroup var output: OutputOptions

  func perform() throws(Diagnostic) -> Int32 {
    let devices = try CatalogDevice.all()
    let host = DeviceSet.host?.name
    if output.json {
      Console.result(json(devices, host).line)
      return 0
    }
    Console.result("This machine: \(CPU.architecture), \(CPU.coreCount.of("core")), host target \(host ?? "none")\n")
    var table = Table(["target", "vector bits", "runs here", ""], right: [1])
    for device in devices {
      table.add([
        device.description.name, "\(device.description.vectorBits)", device.obstacle == nil ? "yes" : "no",
        device.obstacle ?? (device.description.name == host ? "host" : ""),
      ])
    }
    Console.result(table.text)
    return 0
  }

  private func json(_ devices: [CatalogDevice], _ host: String?) -> JSON {
    let rows: [JSON] = devices.map { device in
      .object([
        "name": .string(device.description.name), "isa": .string(device.description.isa),
        "vector_bits": .integer(device.description.vectorBits),
        "requires": .array(device.description.requires.map { .string($0) }),
        "runs_here": .bool(device.obstacle == nil), "reason": device.obstacle.map { .string($0) } ?? .null,
      ])
    }
    return .object([
      "architecture": .string(CPU.architecture), "cores": .integer(CPU.coreCount),
      "host": host.map { .string($0) } ?? .null, "devices": .array(rows),
    ])
  }
}
