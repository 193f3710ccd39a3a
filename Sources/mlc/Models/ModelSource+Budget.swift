import Foundation
import MLCCore
import MLCGraph

extension Limits {
  /// For the model at `path`, a file or a folder.
  func budget(for path: String) -> Budget {
    Budget(modelBytes: Limits.size(of: path), memory: memory, time: time)
  }

  /// Bytes of a file, or of the files of a folder.
  private static func size(of path: String) -> Int {
    func bytes(_ path: String) -> Int {
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      guard attributes?[.type] as? FileAttributeType == .typeRegular else { return 0 }
      return attributes?[.size] as? Int ?? 0
    }
    guard let files = FileManager.default.enumerator(atPath: path) else {
      return bytes(URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false))
    }
    return files.reduce(0) { $0 + (($1 as? String).map { bytes("\(path)/\($0)") } ?? 0) }
  }
}

extension Program {
  /// Bytes that constants take together, memory that several of them view counted once.
  var constantBytes: Int {
    var ranges: [(start: UInt, end: UInt)] = []
    func collect(_ block: Block) {
      for operation in block.operations {
        if let constant = operation.op as? Const {
          constant.val.withBytes { bytes in
            let start = UInt(bitPattern: bytes.baseAddress)
            ranges.append((start, start + UInt(bytes.count)))
          }
        }
        for nested in operation.blocks { collect(nested) }
      }
    }
    for function in functions { collect(function.body) }
    var (total, end) = (0, UInt(0))
    for range in ranges.sorted(by: { $0.start < $1.start }) where range.end > end {
      total += Int(range.end - max(range.start, end))
      end = range.end
    }
    return total
  }
}

extension Budget {
  /// Says which nodes stay computed at run time although all that they read is constant.
  func report() {
    let nodes = declined
    guard let first = nodes.first else { return }
    let place = first.description.isEmpty ? "a node" : "'\(first.description)'"
    let others = nodes.count > 1 ? " and \((nodes.count - 1).of("other"))" : ""
    let verb = nodes.count > 1 ? "stay" : "stays"
    let reason = "constants of that size, or of that much work, are not made"
    Console.note("\(place)\(others) \(verb) computed at run time: \(reason)")
  }
}
