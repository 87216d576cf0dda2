import Foundation
import Testing

@testable import OffshorePresentation

struct MarkdownTests {
  /// The structure of a text in a short form: `h1`, `p`, `ul`, `ol`; `b`, `i`, `c` for styles, `a`
  /// for links.
  private func shape(_ text: String) -> [String] {
    Markdown(text).blocks.map { block in
      switch block {
      case .heading(let level, let spans): "h\(level) \(shape(spans))"
      case .paragraph(let spans): "p \(shape(spans))"
      case .list(let isOrdered, let items):
        (isOrdered ? "ol" : "ul") + items.map { " (\(shape($0)))" }.joined()
      }
    }
  }

  private func shape(_ spans: [Markdown.Span]) -> String {
    spans.map { span in
      switch span {
      case .text(let run): shape(run)
      case .link(let address, let runs): "a[\(runs.map(shape).joined())|\(address)]"
      }
    }.joined()
  }

  private func shape(_ run: Markdown.Run) -> String {
    let styles: [(Markdown.Style, String)] = [(.bold, "b"), (.italic, "i"), (.code, "c")]
    let names = styles.filter { run.style.contains($0.0) }.map(\.1).joined()
    return names.isEmpty ? run.text : "\(names){\(run.text)}"
  }

  // MARK: - Blocks

  @Test func `Headings, paragraphs and lists are recognized`() {
    let text = """
      # Stern-to
      Drop the anchor
      early.

      ###### Then
      - lines
      * fenders
        on both sides
      1. first
      2) second

      Done
      """
    #expect(
      shape(text) == [
        "h1 Stern-to", "p Drop the anchor early.", "h6 Then", "ul (lines) (fenders on both sides)",
        "ol (first) (second)", "p Done",
      ])
  }

  @Test func `A list continues after a blank line, and ends at a line that is not an item`() {
    #expect(shape("1. a\n\n2. b\ntext\n3. c") == ["ol (a) (b)", "p text", "ol (c)"])
    #expect(shape("- a\n\n  b") == ["ul (a)", "p b"])
    #expect(shape("- a\n1. b") == ["ul (a)", "ol (b)"])
  }

  @Test(arguments: [
    "#hash", "####### seven", "-dash", "1.5 knots", "1234567890. too long", "+", "> quote",
    "| a | b |", "---", "<h1>x</h1>",
  ]) func `A line without a block marker is text`(_ text: String) {
    #expect(Markdown(text).blocks == [.paragraph([.text(Markdown.Run(text))])])
  }

  @Test func `An empty text has no blocks, and any line break ends a line`() {
    #expect(Markdown("").blocks.isEmpty)
    #expect(Markdown(" \n\t\n ").blocks.isEmpty)
    #expect(shape("# a\r\n\r\nb\rc") == ["h1 a", "p b c"])
  }

  // MARK: - Spans

  @Test(arguments: [
    ("a *b* c", "a i{b} c"), ("a **b** c", "a b{b} c"), ("_a_ __b__", "i{a} b{b}"),
    ("***a***", "bi{a}"), ("**a *b* c**", "b{a }bi{b}b{ c}"),
    ("**a *b** c*", "b{a }bi{b}i{ c}"), ("**Швартовка**", "b{Швартовка}"),
    ("`*a*` b", "c{*a*} b"), ("*`a`*", "ic{a}"),
    ("[a](https://b.de/c?d=e&f)", "a[a|https://b.de/c?d=e&f]"),
    ("[a *b*](http://c)", "a[a i{b}|http://c]"), ("*[a](HTTP://b)*", "a[i{a}|HTTP://b]"),
    ("([a](https://b/(c)))", "(a[a|https://b/(c)])"), ("[`a`](http://b)", "a[c{a}|http://b]"),
    ("[[a](http://b)]", "[a[a|http://b]]"), ("*a [b*](http://c)", "i{a }a[i{b}|http://c]"),
  ]) func `Styles, code and links are found`(_ text: String, _ expected: String) {
    #expect(shape(text) == ["p \(expected)"])
  }

  @Test(arguments: [
    "2 * 3 * 4", "a*", "*a", "** a **", "****", "file_name_here", "`a", "``", "[a]", "[a] (b)",
    "[](http://a)", "[a](b)", "[a](/b)", "[a](javascript:alert(1))", "[a](data:text/html,x)",
    "[a](http://)", "[a](http:///b)", "[a](https://b c)", "[a](https://b", "[a](mailto:b@c)",
    "[a](https://b\"onclick=x)", "<script>alert(1)</script>", "&amp;", "a ![b",
    "[a](vbscript:https://b)", "[a](//b.de)",
  ]) func `Unpaired markers, and links that are not to the web, are text`(_ text: String) {
    #expect(shape(text) == ["p \(text)"])
  }

  @Test(
    arguments: [
      (#"\*a\*"#, "*a*"), (#"\\"#, #"\"#), (#"a\b"#, #"a\b"#),
      (#"\[a](http://b)"#, "[a](http://b)"),
      (#"[a\](http://b)"#, "[a](http://b)"), (#"`\`"#, #"c{\}"#), (#"a\"#, #"a\"#),
    ])
  func `A backslash escapes a marker, and is a character before any other`(
    _ text: String, _ expected: String
  ) {
    #expect(shape(text) == ["p \(expected)"])
  }

  // MARK: - Arbitrary text

  private func runs(_ block: Markdown.Block) -> [Markdown.Run] {
    let spans =
      switch block {
      case .heading(_, let spans), .paragraph(let spans): spans
      case .list(_, let items): items.flatMap(\.self)
      }
    return spans.flatMap { span in
      switch span {
      case .text(let run): [run]
      case .link(_, let runs): runs
      }
    }
  }

  @Test func `No text traps, no letter is lost or added, and each address is one of the web`() {
    var random = SystemRandomNumberGenerator()
    let pieces = [
      "*", "**", "***", "_", "__", "`", "``", "[", "]", "(", ")", "](http://x)", "](https://y/)",
      "](javascript:z)", "\\", "#", "# ", "- ", "1. ", "\n", "\r\n", " ", "a", "я", "👩‍🚀", "e\u{301}",
      "<b>", "&", "\"", "\0", "\u{200D}", "\u{2028}",
    ]
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0...40, using: &random))
        .compactMap { _ in pieces.randomElement(using: &random) }.joined()
      let blocks = Markdown(text).blocks
      let read = blocks.flatMap(runs).map(\.text).joined()
      for letter: Unicode.Scalar in ["a", "я", "👩", "<", "&", "\"", "\0"] {
        let count = text.unicodeScalars.count { $0 == letter }
        #expect(
          read.unicodeScalars.count { $0 == letter } == count, "\(text.debugDescription)")
      }
      for case .paragraph(let spans) in blocks {
        for case .link(let address, _) in spans {
          #expect(["http://x", "https://y/"].contains(address), "\(text.debugDescription)")
        }
      }
    }
  }

  /// Quadratic time would be minutes at this length.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      "[", "]", "](", "[a](", "[a](http://", "[a](http://b", "[a](http://b)", "*", "* ", "*a",
      "*a ",
      "**a", "a*", "_a", "_a_", "`", "`a", "``a", "\\", "(", "[[a]", "*a _b", "- ", "- a\n",
      "1. a\n",
      "# ", "# a\n", "a\n", "\n", "e\u{301}", "\u{301}", "👩‍🚀", "- a\n\n", "*`[a](http://b`",
    ]) func `Hostile texts take time in proportion to their length`(_ piece: String)
  {
    let text = String(repeating: piece, count: 30_000 / piece.utf8.count)
    #expect(Markdown(text).blocks.flatMap(runs).count <= text.utf8.count)
    #expect(Markdown("[" + text).blocks.count <= text.utf8.count)
  }
}
