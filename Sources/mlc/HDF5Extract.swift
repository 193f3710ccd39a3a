import ArgumentParser
import MLCHDF5

/// Reads one HDF5 file in a process of its own; mlc starts it and nobody else. The file is descriptor 3, the result
/// goes to descriptor 4.
struct HDF5Extract: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: HDF5Helper.subcommand, shouldDisplay: false)

  @Argument var fileBytes: Int
  @Flag var data = false

  func run() {
    HDF5ChildMain.run(limit: fileBytes, readsData: data)
  }
}
