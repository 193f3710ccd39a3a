import MLCCompiler
import MLCTargetC
import Testing

@Suite struct CDefinitionsTests {
  private static let text = """
    typedef int T;
    #define TWICE(x) b(b(x))
    /// Of b.
    FN T b(
      T x) {
    #if X
      return x;
    #endif
      return c(x);
    }

    FN T c(T x) { return x; }
    #if X
    #if Y
    FN T d(T x) { return TWICE(x); }
    #endif
    #else
    FN T *e(T x) { return 0; }
    #endif
    FN T unused(T x) { return e(x); }
    """

  @Test(arguments: [
    ("", []), ("bc dx unused_", []), ("c(1)", ["c"]), ("b;", ["b", "c"]), ("x = e", ["TWICE", "b", "c", "d"]),
    ("TWICE", ["TWICE", "b", "c"]), ("d unused", ["TWICE", "b", "c", "d", "unused"]),
  ])
  func takesWhatIsNamedAndWhatThatNames(_ source: String, _ names: [String]) {
    let text = CDefinitions(Self.text).named(in: [source])
    let heads = ["TWICE": "#define TWICE(", "b": "FN T b(", "c": "FN T c(", "d": "FN T d(", "unused": "FN T unused("]
    #expect(Set(heads.filter { text.contains($0.value) }.keys) == Set(names))
    #expect(text.hasPrefix("typedef int T;"))
    #expect(text.contains("/// Of b.\nFN T b(") == names.contains("b"))
  }

  @Test func piecesInOrderAreTheWhole() {
    #expect(CDefinitions(Self.text).named(in: [Self.text]) == Self.text.replacing("\n\n", with: "\n"))
  }

  @Test func aPieceOfThePreludeComesWithAllThatItNames() throws {
    let device = try DeviceSet(["x86-64-v4"]).devices[0]
    let whole = Self.defined(in: Prelude.text(for: device))
    #expect(whole.count > 300)
    for name in whole {
      let text = Prelude.text(for: device, of: [String(name)])
      let missing = whole.intersection(text.split { !($0.isLetter || $0.isNumber || $0 == "_") })
        .subtracting(Self.defined(in: text))
      #expect(missing.isEmpty, "\(name)")
    }
  }

  /// Functions and macros.
  private static func defined(in text: String) -> Set<Substring> {
    Set(
      text.matches(of: /(?m)^FN [\w *]*?(\w+)\(|^#define (\w+)/).compactMap { $0.output.1 ?? $0.output.2 }
    )
  }
}
