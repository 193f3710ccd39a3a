extension String {
  /// The text as one word of a POSIX shell: in single quotes where it holds more than letters, digits and signs that
  /// mean nothing there.
  var shellWord: String {
    let isPlain = unicodeScalars.allSatisfy { scalar in
      scalar.isASCII
        && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
          || "=,./:_-+@%".unicodeScalars.contains(scalar))
    }
    return isPlain && !isEmpty ? self : "'" + replacing("'", with: "'\\''") + "'"
  }
}
