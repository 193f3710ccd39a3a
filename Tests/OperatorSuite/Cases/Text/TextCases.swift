import MLCCore
import MLCGraph
import MLCOps

/// Work on texts; `castTextCases` are beside the other casts.
extension OperatorCase {
  static let textCases: [OperatorCase] = concatenated + divided + normalized + matched + ranked

  private static func texts(_ shape: [Int], _ strings: String...) -> Tensor { Tensor(shape, strings: strings) }

  private static let concatenated: [OperatorCase] = [
    OperatorCase(
      "string_concat.same-shape",
      StringConcat(),
      [[texts([2], "abc", "def")], [texts([2], ".com", ".net")]],
      expected: [texts([2], "abc.com", "def.net")]
    ),
    OperatorCase(
      "string_concat.broadcast",
      StringConcat(),
      [[texts([2, 1], "a", "\u{65}")], [texts([3], "", "\u{301}", "b")]],
      expected: [texts([2, 3], "a", "a\u{301}", "ab", "\u{65}", "\u{65}\u{301}", "\u{65}b")]
    ),
    OperatorCase(
      "string_concat.scalar",
      StringConcat(),
      [[texts([], "x")], [texts([], "y")]],
      expected: [texts([], "xy")]
    ),
    OperatorCase(
      "string_concat.empty",
      StringConcat(),
      [[texts([0, 1])], [texts([1, 2], "a", "b")]],
      expected: [texts([0, 2])]
    ),
  ]

  private static let divided: [OperatorCase] = [
    OperatorCase(
      "string_split.white-space",
      StringSplit(),
      [[texts([4], "hello world !", "  hello   world !", "", " \t ")]],
      expected: [
        texts([4, 3], "hello", "world", "!", "hello", "world", "!", "", "", "", "", "", ""),
        Tensor(.int64, [4], [3, 3, 0, 0]),
      ]
    ),
    OperatorCase(
      "string_split.delimiter",
      StringSplit(delimiter: "-"),
      [[texts([1, 3], "o-n-n--x-", "", "a")]],
      expected: [
        texts([1, 3, 6], "o", "n", "n", "", "x", "", "", "", "", "", "", "", "a", "", "", "", "", ""),
        Tensor(.int64, [1, 3], [6, 1, 1]),
      ]
    ),
    OperatorCase(
      "string_split.limit",
      StringSplit(delimiter: "", maxsplit: 1),
      [[texts([2], "o n  n x ", "x")]],
      expected: [texts([2, 2], "o", "n  n x ", "x", ""), Tensor(.int64, [2], [2, 1])]
    ),
    OperatorCase(
      "string_split.no-division",
      StringSplit(delimiter: "é", maxsplit: 0),
      [[texts([], "aéb")]],
      expected: [texts([1], "aéb"), Tensor(.int64, [], [1])]
    ),
    OperatorCase(
      "string_split.nothing",
      StringSplit(delimiter: ","),
      [[texts([2, 0])]],
      expected: [texts([2, 0, 0]), Tensor(.int64, [2, 0], [Int]())]
    ),
  ]

  private static let normalized: [OperatorCase] = [
    OperatorCase(
      "string_normalizer.stopwords",
      StringNormalizer(caseChange: "UPPER", isCaseSensitive: true, stopwords: ["monday"]),
      [[texts([4], "monday", "Monday", "straße", "monday")]],
      expected: [texts([2], "MONDAY", "STRASSE")]
    ),
    OperatorCase(
      "string_normalizer.row",
      StringNormalizer(caseChange: "LOWER", stopwords: ["MONDAY"]),
      [[texts([1, 3], "monday", "Tuesday", "mONDAY")]],
      expected: [texts([1, 1], "tuesday")]
    ),
    OperatorCase(
      "string_normalizer.none-left",
      StringNormalizer(isCaseSensitive: true, stopwords: ["\u{e9}"]),
      [[texts([2], "\u{e9}", "\u{e9}")]],
      expected: [texts([1], "")]
    ),
    OperatorCase(
      "string_normalizer.plain",
      StringNormalizer(),
      [[texts([3], "B", "", "\u{65}\u{301}")]],
      expected: [texts([3], "B", "", "\u{65}\u{301}")]
    ),
    OperatorCase("string_normalizer.empty", StringNormalizer(), [[texts([1, 0])]], expected: [texts([1, 1], "")]),
  ]

  private static let matched: [OperatorCase] = [
    OperatorCase(
      "regex_full_match.rows",
      RegexFullMatch(pattern: #"(?i)[\w.]{1,9}@(yahoo|gmail)\.com"#),
      [[texts([2, 2], "a.b@GMAIL.com", "account@hotmail.com", "", "1@yahoo.com")]],
      expected: [Tensor(.bool, [2, 2], [1, 0, 0, 1])]
    ),
    OperatorCase(
      "regex_full_match.scalars",
      RegexFullMatch(pattern: "\u{e9}."),
      [[texts([3], "\u{e9}\u{301}", "\u{65}\u{301}", "\u{e9}\n")]],
      expected: [Tensor(.bool, [3], [1, 0, 0])]
    ),
    OperatorCase(
      "regex_full_match.empty",
      RegexFullMatch(),
      [[texts([2, 0])]],
      expected: [Tensor(.bool, [2, 0], [Int]())]
    ),
    OperatorCase("regex_full_match.scalar", RegexFullMatch(), [[texts([], "")]], expected: [Tensor(.bool, [], [1])]),
  ]

  private static let ranked: [OperatorCase] = [
    OperatorCase(
      "string_rank.bytes",
      StringRank(),
      [[texts([2, 4], "b", "\u{e9}", "", "e\u{301}", "B", "b", "\u{1f600}", "\u{ffff}")]],
      expected: [Tensor(.int64, [2, 4], [2, 4, 0, 3, 1, 2, 6, 5])]
    ),
    OperatorCase("string_rank.scalar", StringRank(), [[texts([], "a")]], expected: [Tensor(.int64, [], [0])]),
    OperatorCase("string_rank.empty", StringRank(), [[texts([0, 2])]], expected: [Tensor(.int64, [0, 2], [Int]())]),
  ]
}
