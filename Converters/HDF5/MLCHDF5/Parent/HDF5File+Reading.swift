import Glibc
import MLCCore

/// The command that reads HDF5 files as a child process: mlc itself, by a subcommand that nobody types.
package struct HDF5Helper: Sendable {
  package static let subcommand = "hdf5-extract"
  package var executable: String
  /// Runs the program to its end.
  package var run: @Sendable (ChildProgram) throws(Diagnostic) -> ChildProgram.End = { (program) throws(Diagnostic) in
    try program.run()
  }

  package init(executable: String = "/proc/self/exe") { self.executable = executable }

  /// The program that reads `input` and writes what it finds to `output`. Its environment has nothing that a library
  /// would take as a wish.
  func program(_ input: Int32, _ output: Int32, _ limits: ChildLimits, readsData: Bool) -> ChildProgram {
    let arguments = [HDF5Helper.subcommand, "\(limits.fileBytes ?? 0)"] + (readsData ? ["--data"] : [])
    let environment = ChildProgram.environment().merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    var program = ChildProgram(executable, arguments, environment: environment, limits: limits)
    program.files = [input, output]
    return program
  }
}

extension HDF5File {
  /// What every HDF5 file begins with.
  static let signature: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]

  /// Reads the file at `path`: its structure and attributes, and with `data` the elements of its datasets, as views
  /// into the mapped file where they lie there as they are, otherwise into a temporary file that is gone with them.
  ///
  /// libhdf5 runs in a child process with limits. Throws what `MappedFile` throws; `hdf5.damaged` when the file is none
  /// or cannot be read; `hdf5.limit` when reading takes more time or memory than a sound file needs; `hdf5.child` when
  /// there is no child process; `hdf5.extraction` when what it gives is unsound.
  package static func read(
    _ path: String,
    data: Bool,
    helper: HDF5Helper = .init()
  ) throws(Diagnostic) -> HDF5File {
    let input = try OpenFile(reading: path)
    return try read(input, data: data, helper: helper)
  }

  /// `read` of a file that is open.
  package static func read(
    _ input: borrowing OpenFile,
    data: Bool,
    helper: HDF5Helper
  ) throws(Diagnostic) -> HDF5File {
    let source = try MappedFile(input)
    try withExtendedLifetime(source) { () throws(Diagnostic) in
      if mayBeHDF5(source.bytes) { return }
      guard let guess = FileKind.guess(source.bytes) else { throw Diagnostic.damaged("the file") }
      throw Diagnostic("hdf5.damaged", "not an HDF5 file: it looks like \(guess)")
    }
    let output = try OpenFile.nameless()
    let limits = HDF5Limits.forFile(of: source.bytes.count)
    let program = helper.program(input.descriptor, output.descriptor, limits, readsData: data)
    let end: ChildProgram.End
    do throws(Diagnostic) { end = try helper.run(program) } catch {
      throw Diagnostic("hdf5.child", error.message, kind: .environment)
    }
    if end.kind != .exited(0), let shortage = limits.shortage { throw short(shortage) }
    try check(end.kind)
    let reader = ExtractionReader(try MappedFile(output), source: source)
    do throws(Diagnostic) { return try reader.file() } catch {
      // To libhdf5 memory that it cannot have is a file that it cannot read.
      guard error.id == "hdf5.damaged", let shortage = limits.shortage else { throw error }
      throw short(shortage, notes: [error.message])
    }
  }

  private static func short(_ shortage: String, notes: [String] = []) -> Diagnostic {
    let problem = "the process that reads HDF5 failed, and may take less than it should (\(shortage))"
    return Diagnostic("hdf5.child", problem, kind: .environment, notes: notes)
  }

  /// The signature stands at 0, 512, 1024, 2048 …
  private static func mayBeHDF5(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    while place + signature.count <= bytes.count {
      if bytes[place..<place + signature.count].elementsEqual(signature) { return true }
      place = place == 0 ? 512 : 2 * place
    }
    return false
  }

  private static func check(_ end: ChildProgram.End.Kind) throws(Diagnostic) {
    switch end {
    case .exited(0): return
    case .lost: throw Diagnostic("hdf5.child", "the process that reads HDF5 was killed", kind: .environment)
    case .exited(let code):
      throw Diagnostic("hdf5.child", "the process that reads HDF5 ended with \(code)", kind: .environment)
    case .tooLong, .signalled(SIGXCPU), .signalled(SIGKILL):
      throw Diagnostic.limit("reading takes longer than it does for a sound file of this size")
    case .signalled(SIGXFSZ): throw Diagnostic.limit("the file unpacks to more than 100 times its size")
    case .signalled(let signal):
      throw Diagnostic("hdf5.damaged", "libhdf5 ended with signal \(signal) as it read the file, which is damaged")
    }
  }
}
