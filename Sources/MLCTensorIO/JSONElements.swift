import MLCCore

/// Numbers or texts gathered from nested arrays, and the shape that the nesting has shown so far.
struct JSONElements {
  private var doubles: [Double] = []
  /// As long as every number was an integer.
  private var integers: [Int]? = []
  private var booleans = 0
  private var texts: [String] = []
  /// The extent of each axis, once an array on it has closed.
  private var extents: [Int?] = []
  /// How deep elements lie, once one was seen.
  private var rank: Int?
  /// How deep the deepest array without elements lies, plus one.
  private var emptyRank = 0

  mutating func leaf(at depth: Int) throws(Diagnostic) {
    guard rank ?? depth == depth else { throw Diagnostic("json.shape", "elements stand beside arrays") }
    rank = depth
  }

  mutating func close(axis: Int, _ count: Int) throws(Diagnostic) {
    while extents.count <= axis { extents.append(nil) }
    if count == 0 { emptyRank = max(emptyRank, axis + 1) }
    guard extents[axis] ?? count == count else {
      throw Diagnostic("json.shape", "arrays of \(extents[axis]!) and of \(count) elements stand side by side")
    }
    extents[axis] = count
  }

  mutating func append(_ number: Double, _ integer: Int?) throws(Diagnostic) {
    guard booleans == 0, texts.isEmpty else { throw Self.mixture }
    doubles.append(number)
    if let integer { integers?.append(integer) } else { integers = nil }
  }

  mutating func append(_ flag: Bool) throws(Diagnostic) {
    guard booleans == doubles.count, texts.isEmpty else { throw Self.mixture }
    booleans += 1
    doubles.append(flag ? 1 : 0)
  }

  mutating func append(_ text: String) throws(Diagnostic) {
    guard doubles.isEmpty else { throw Self.mixture }
    texts.append(text)
  }

  private static var mixture: Diagnostic {
    Diagnostic("json.element", "elements of several kinds are mixed: numbers, booleans, texts")
  }

  func tensor() throws(Diagnostic) -> Tensor {
    let shape = extents.compactMap { $0 }
    guard rank ?? emptyRank == shape.count, rank == nil || emptyRank == 0 else {
      throw Diagnostic("json.shape", "arrays beside each other nest to different depths")
    }
    guard shape.checkedProduct == doubles.count + texts.count else {
      throw Diagnostic("json.shape", "arrays are ragged")
    }
    if !texts.isEmpty { return Tensor(shape, strings: texts) }
    if booleans > 0 { return Tensor(.bool, shape, doubles) }
    if let integers, !integers.isEmpty { return Tensor(.int64, shape, integers) }
    return Tensor(.float64, shape, doubles)
  }
}
