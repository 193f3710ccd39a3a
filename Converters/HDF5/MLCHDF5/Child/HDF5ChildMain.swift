import CHDF5
import Glibc
import MLCCore

/// The child process that reads one HDF5 file: the file at descriptor 3, the extraction to descriptor 4.
package enum HDF5ChildMain {
  private static let input: Int32 = 3, output: Int32 = 4

  /// Writes no more than `limit` bytes. Never returns: 0 with a whole extraction, which may hold a problem, 1 without.
  package static func run(limit: Int, readsData: Bool) -> Never {
    prepare()
    do throws(Diagnostic) {
      let writer = ExtractionWriter(descriptor: output, limit: limit)
      try HDF5Walker.extract("/proc/self/fd/\(input)", writer, readsData: readsData)
    } catch {
      guard ftruncate(output, 0) == 0 else { exit(1) }
      let problem: JSON = .object(["id": .string(error.id.rawValue), "message": .string(error.message)])
      let writer = ExtractionWriter(descriptor: output, limit: limit)
      do throws(Diagnostic) { try writer.finish(.object(["problem": problem])) } catch { exit(1) }
    }
    // The library's own clean-up would walk structures of the file once more.
    _exit(0)
  }

  /// Takes from libhdf5 what other processes and files could change about it.
  package static func prepare() {
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1)
    setenv("HDF5_PLUGIN_PRELOAD", "::", 1)
  }
}
