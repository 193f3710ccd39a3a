import MLCCore

/// What devices do not take of a program, gathered from all of them before anything is built.
struct Refusals {
  private var found: [(problem: Diagnostic, devices: [String])] = []

  mutating func add(_ problem: Diagnostic, on device: String) {
    if let known = found.firstIndex(where: { $0.problem == problem }) {
      if !found[known].devices.contains(device) { found[known].devices.append(device) }
    } else {
      found.append((problem, [device]))
    }
  }

  /// Throws the first problem, with the devices that have it, the other problems and what can be done as notes.
  func check() throws(Diagnostic) {
    guard var first = found.first?.problem else { return }
    first.notes.append("not for \(found[0].devices.joined(separator: ", "))")
    for (problem, devices) in found.dropFirst().prefix(15) {
      let place = problem.location.description
      first.notes.append(
        "\(place.isEmpty ? "" : place + ": ")\(problem.message) [\(problem.id.rawValue)], not for "
          + devices.joined(separator: ", ")
      )
    }
    if found.count > 16 { first.notes.append("and \(found.count - 16) problems more") }
    first.notes.append("'mlc predict --reference' runs a model without compiling it")
    throw first
  }
}
