import OffshoreJSON
import TestSupport
import Testing

@testable import OffshoreWire

struct JSONSpellingTests {
  private func name(_ content: String) -> String { JSONSpelling.name(of: Array(content.utf8)) }

  @Test(arguments: [
    ("", ""), ("abc", "abc"), ("a b~", "a b~"), ("é", #"\u00e9"#), (#"\u00E9"#, #"\u00e9"#),
    (#"\b\f\n\r\t"#, #"\u0008\u000c\u000a\u000d\u0009"#), (#"\"\\\/"#, #"\"\\/"#),
    ("\u{7F}", #"\u007f"#), ("😀", #"\ud83d\ude00"#), (#"\u0061"#, "a"), (#"\u0022"#, #"\""#),
  ])
  func `A name is ASCII, and the same for all notations of a string`(content: String, name: String)
  {
    #expect(self.name(content) == name)
  }

  @Test func `A name represents the string from which it was made`() {
    var random = SeededRandom(seed: 52)
    let pieces = [
      "a", "é", "\\n", "\\\"", "\\\\", "😀", "\\u0000", "\\ud83d", "\\ude00", "/", "~", "\\u00e9",
    ]
    for _ in 0..<500 {
      let content = (0..<random.number(below: 6)).map { _ in
        pieces[random.number(below: pieces.count)]
      }
      .joined()
      let name = name(content)
      #expect(name.utf8.allSatisfy { 0x20...0x7E ~= $0 })
      let spelled = JSONSpelling.content(of: name)
      #expect(JSONSpelling.name(of: spelled) == name)
      #expect(JSONScanner.isValue([0x22] + spelled + [0x22]))
    }
  }

  @Test func `A malformed JSON string has a name too`() {
    #expect(name("\\") == #"\ufffd"#)
    #expect(name("\\q") == #"\ufffd"#)
    #expect(name("\\u1") == #"\u0001"#)
  }
}
