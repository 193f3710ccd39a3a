import FuzzSupport
import MLCCore
import MLCHDF5
import MLCImportKeras

extension FuzzTarget {
  /// What the child process says of an HDF5 file, taken as the weights and the description of a model. An attribute
  /// `paths` of the root group says that they come from a `.keras` archive.
  static let keras = FuzzTarget("keras", ExtractionMutator()) { (bytes) throws(Diagnostic) in
    let file = try ExtractionReader(extraction: Storage(copying: bytes), source: zeros).file()
    try importKeras(file, bytes)
  }

  /// The archive, without the child process: the helper ends at once.
  static let kerasArchive = FuzzTarget("keras-archive", ZipMutator { $0.hasSuffix(".json") ? JSONMutator() : nil }) {
    (bytes) throws(Diagnostic) in
    _ = try KerasFile.read(Scratch.file(bytes, "keras"), helper: HDF5Helper(executable: "/bin/true"))
  }

  /// A whole file through libhdf5, in a process with the limits that `mlc` gives it.
  static let hdf5 = FuzzTarget("hdf5") { (bytes) throws(Diagnostic) in
    let path = Scratch.file(bytes, "h5")
    try importKeras(try HDF5File.read(path, data: true, helper: HDF5Server.helper), bytes)
  }

  private static func importKeras(_ file: HDF5File, _ bytes: UnsafeRawBufferPointer) throws(Diagnostic) {
    var model = try KerasFile.whole(file)
    if file["/"]?[attribute: "paths"] != nil { model.filing = .paths }
    try Exercise.run(try KerasImporter(file: "model.keras").program(model), of: bytes)
  }

  /// Stands for the HDF5 file, of which elements may be views.
  private static let zeros = Storage(byteCount: 1 << 16) { _ in }
}
