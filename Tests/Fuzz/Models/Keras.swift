import FuzzSupport
import Glibc
import MLCCore
import MLCHDF5
import MLCImportKeras

extension FuzzTarget {
  /// What the child process says of an HDF5 file, taken as the weights and the description of a model. An attribute `paths` of
  /// the root group says that they come from a `.keras` archive.
  static let keras = FuzzTarget("keras", ExtractionMutator()) { (bytes) throws(Diagnostic) in
    let file = try ExtractionReader(extraction: Storage(copying: bytes), source: zeros).file()
    try importKeras(file, bytes)
  }

  /// The archive, without the child process: the helper ends at once.
  static let kerasArchive = FuzzTarget("keras-archive", ZipMutator { $0.hasSuffix(".json") ? JSONMutator() : nil }) {
    (bytes) throws(Diagnostic) in
    _ = try KerasFile.read(Scratch.file(bytes, "keras"), helper: HDF5Helper(executable: "/bin/true"))
  }

  /// A whole file through libhdf5 in the child process, the command that `MLC` names. Slow.
  static let hdf5 = FuzzTarget("hdf5") { (bytes) throws(Diagnostic) in
    let command = getenv("MLC").map { String(cString: $0) } ?? ".build/release/mlc"
    try importKeras(
      try HDF5File.read(Scratch.file(bytes, "h5"), data: true, helper: HDF5Helper(executable: command)),
      bytes
    )
  }

  private static func importKeras(_ file: HDF5File, _ bytes: UnsafeRawBufferPointer) throws(Diagnostic) {
    var model = try KerasFile.whole(file)
    if file["/"]?[attribute: "paths"] != nil { model.filing = .paths }
    try Exercise.run(try KerasImporter(file: "model.keras").program(model), of: bytes)
  }

  /// Stands for the HDF5 file, of which elements may be views.
  private static let zeros = Storage(byteCount: 1 << 16) { _ in }
}
