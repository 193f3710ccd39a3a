import ArgumentParser
import MLCCompiler
import MLCCore
import MLCKernels

/// What was measured of the machine that code is for.
struct DeviceFileOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Compute products of tensors as was fastest on the machine that 'mlc tune' wrote this file on.",
      valueName: "FILE.json"
    ),
    completion: .file()
  )
  var deviceFile: String?

  /// The measurements, for one of the devices called `targets`. Says where they are of another processor than this
  /// one.
  ///
  /// Throws what reading them throws, and `device-file.target` where they are of another device.
  func tuning(for targets: [String]) throws(Diagnostic) -> (name: String, tuning: Tuning)? {
    guard let deviceFile else { return nil }
    let file = try DeviceFile.load(deviceFile)
    let names = try DeviceSet(targets).devices.map { $0.name }
    guard names.contains(file.device) else {
      throw Diagnostic(
        "device-file.target",
        "'\(deviceFile)' holds measurements for \(file.device), and code is made for \(names.joined(separator: ", "))",
        kind: .usage
      )
    }
    if targets.contains("host"), file.cpu != Processor.name {
      Console.note("\(deviceFile): measured on '\(file.cpu)', and this machine is '\(Processor.name)'")
    }
    return (file.device, file.tuning)
  }
}
