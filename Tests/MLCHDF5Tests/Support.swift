import Foundation
import MLCCore
import MLCHDF5
import Testing

enum Fixture {
  static let helper: HDF5Helper = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    #if DEBUG
      return HDF5Helper(executable: root.appending(path: ".build/debug/mlc").path())
    #else
      return HDF5Helper(executable: root.appending(path: ".build/release/mlc").path())
    #endif
  }()

  static func path(_ name: String) throws -> String {
    try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil)).appending(path: name).path()
  }

  static func read(_ name: String, data: Bool = true) throws -> HDF5File {
    try HDF5File.read(try path(name), data: data, helper: helper)
  }
}
