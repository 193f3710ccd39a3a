import MLCCore

/// A reader that libFuzzer gives inputs to.
///
/// Bad input is a `Diagnostic`; a trap, a hang, memory without measure or a diagnostic of kind `bug` is what fuzzing
/// looks for.
package struct FuzzTarget: Sendable {
  package typealias Reader = @Sendable (UnsafeRawBufferPointer) throws(Diagnostic) -> Void

  package let name: String
  let mutator: (any Mutator)?
  private let seeds: @Sendable () -> [[UInt8]]
  private let read: Reader

  /// `seeds` are inputs to begin with, besides the files that `make_seeds.py` finds.
  package init(
    _ name: String,
    _ mutator: (any Mutator)? = nil,
    seeds: @escaping @autoclosure @Sendable () -> [[UInt8]] = [],
    _ read: @escaping Reader
  ) {
    (self.name, self.mutator, self.seeds, self.read) = (name, mutator, seeds, read)
  }

  /// With seeds that are texts.
  package init(_ name: String, _ mutator: (any Mutator)?, texts: [String], _ read: @escaping Reader) {
    self.init(name, mutator, seeds: texts.map { Array($0.utf8) }, read)
  }

  func play(_ bytes: UnsafeRawBufferPointer) {
    do throws(Diagnostic) { try read(bytes) } catch {
      guard error.kind != .bug else { fatalError("\(error)") }
    }
  }

  func writeSeeds(to folder: String) {
    Scratch.makeFolder(folder)
    Scratch.makeFolder("\(folder)/\(name)")
    for (number, seed) in seeds().enumerated() {
      seed.withUnsafeBytes { Scratch.write($0, to: "\(folder)/\(name)/own_\(number)") }
    }
  }
}
