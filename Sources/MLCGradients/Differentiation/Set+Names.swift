extension Set<String> {
  /// A name that is not in the set, `hint` itself if it can be, which then is.
  package mutating func addName(_ hint: String) -> String {
    var (name, number) = (hint, count)
    while !insert(name).inserted {
      name = "\(hint)_\(number)"
      number += 1
    }
    return name
  }
}
