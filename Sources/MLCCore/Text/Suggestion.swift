extension [String] {
  /// For a word that is none of these: `did you mean 'targets'?`, or what there is where none is near.
  package func suggestion(for word: String) -> String {
    if let near = nearest(to: word) { return "did you mean '\(near)'?" }
    return "there are \(joined(separator: ", "))"
  }

  /// The one of these that is likely meant by a word that is none of them: a third of its characters differ at most.
  package func nearest(to word: String) -> String? {
    let near = map { (name: $0, distance: $0.editDistance(to: word)) }.min { $0.distance < $1.distance }
    guard let near, near.distance <= Swift.max(1, word.count / 3) else { return nil }
    return near.name
  }
}

extension String {
  /// How many characters are put in, left out, replaced or swapped with their neighbour, case aside: the restricted
  /// Damerau–Levenshtein distance. Beyond 64 characters words are far apart.
  package func editDistance(to other: String) -> Int {
    let (a, b) = (Array(lowercased().prefix(65)), Array(other.lowercased().prefix(65)))
    guard a.count <= 64, b.count <= 64 else { return .max }
    var rows = [Array(0...b.count)]
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        let same = a[i] == b[j] ? 0 : 1
        var best = Swift.min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + same)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = Swift.min(best, rows[i - 1][j - 1] + 1) }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
