/// Names for everything that a model names, in the order in which they are asked for: tame ones, or such as end
/// comments, literals and lines, open markup, or turn a terminal round. Models with either are otherwise the same.
struct NameSource {
  let isHostile: Bool
  private(set) var count = 0

  init(hostile: Bool) { isHostile = hostile }

  /// A name with one of `payloads` in it, each in its turn.
  mutating func one() -> String {
    count += 1
    return isHostile ? "n\(count)\(Self.payloads[count % Self.payloads.count])\(count)" : "name\(count)"
  }

  /// A name with all of `payloads` in it, which of them comes first by turns.
  mutating func all() -> String {
    count += 1
    guard isHostile else { return "name\(count)" }
    let first = count % Self.payloads.count
    return (Self.payloads[first...] + Self.payloads[..<first]).joined() + "\(count)"
  }

  static let payloads = lines + comments + literals + markup + terminal + others

  private static let lines = [
    "\n", "\r", "\r\n", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}", "\rvoid f(void){}//", "\n}\nfatalError()\n",
  ]
  private static let comments = ["*/", "/*", "//", "*/ void f(void) {} /*", "??/\n", "\\\n", "??/\r", "#define x"]
  private static let literals = [
    "\"", "'", "`", "\\", "??/\"", "\\\"", "\"#", "#\"", "\"\"\"", "\\(f())", "\" \"", "\u{1}7", "%s%n", "$symbol", "}",
  ]
  private static let markup = ["<script>", "</title>", "<!--", "-->", "]]>", "<![CDATA[", "&amp;", "&#10;", "{{x}}"]
  private static let terminal = [
    "\u{1b}[31m", "\u{1b}]0;x\u{7}", "\u{9b}1m", "\u{8}", "\u{7f}", "\t", "\u{202e}", "\u{2066}", "\u{200f}", "\u{61c}",
    "\u{200b}", "\u{feff}", "\u{ad}", "\u{e0041}", "\u{fe0f}", "\u{3164}",
  ]
  private static let others = [
    "\0", "$(f)", "`f`", ";f;", "../../", "%2e", "e\u{301}\u{327}", "👩‍💻", "\u{fffe}", "\u{e000}", "\u{10ffff}", "日本",
  ]
}
