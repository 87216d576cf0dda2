import Foundation
import TestSupport
import Testing

@testable import OffshoreWire

struct JSONScannerTests {
  private func isFoundationJSON(_ bytes: [UInt8]) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
  }

  @Test(arguments: [
    "0", "-1", "1.5e-3", "\"\"", "\"a\\n\\u00e9\"", "true", "false", "null", "[]", "{}",
    "[1,[2,{\"a\":[]}]]", "{\"a\":{\"b\":null},\"c\":1}", "[ 1 , 2 ]", "\"Öl 😀\"", "\"\\ud83d\"",
  ])
  func `A value is one`(text: String) {
    #expect(JSONScanner.isValue(Array(text.utf8)))
  }

  @Test(arguments: [
    "", " 1", "1 ", "01", "-", "1.", ".1", "1e", "+1", "0x1", "\"", "\"a", "\"\t\"", "\"\\q\"",
    "\"\\u12\"", "tru", "nulll", "[", "]", "[1", "[1,", "[1,]", "[,]", "{", "}", "{\"a\"",
    "{\"a\":",
    "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{1:2}", "{\"a\" \"b\"}", "1 2", "[1}", "{\"a\":1]",
    "'a'",
  ])
  func `Anything else is none`(text: String) {
    #expect(!JSONScanner.isValue(Array(text.utf8)))
  }

  @Test func `A string of bytes that are no UTF-8 is no value`() {
    for bytes in [[0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]]
      as [[UInt8]]
    {
      #expect(!JSONScanner.isValue(bytes))
    }
  }

  @Test func `What it takes for a value Foundation does too, and never ends beyond the text`() {
    let alphabet = Array("{}[]\",:0123456789.eE+-truefalsn\\ab ".utf8)
    var random = SeededRandom(seed: 50)
    var valueCount = 0
    for _ in 0..<20_000 {
      let bytes = (0..<random.number(below: 9)).map { _ in
        alphabet[random.number(below: alphabet.count)]
      }
      guard JSONScanner.isValue(bytes) else { continue }
      valueCount += 1
      let text = String(decoding: bytes, as: UTF8.self)
      // Foundation refuses numbers that no Double can hold.
      if text.contains(/[0-9][eE]/) { continue }
      #expect(isFoundationJSON(bytes), "\(text)")
    }
    #expect(valueCount > 100)
  }

  @Test func `What Foundation writes it takes for a value, and with a byte less for none`() throws {
    var random = SeededRandom(seed: 51)
    for _ in 0..<200 {
      let object: [String: any Sendable] = [
        "a": random.number(below: 1_000), "é\"\\": "x/\n\u{1}😀", "list": [1.5, -2e30, 0.1],
        "nested": ["deep": [true, false]], "n\(random.number(below: 9))": NSNull(),
      ]
      let data = try JSONSerialization.data(withJSONObject: object)
      #expect(JSONScanner.isValue(Array(data)))
      let place = random.number(below: 2) == 0 ? data.count - 1 : 0
      var shorter = Array(data)
      shorter.remove(at: place)
      #expect(!JSONScanner.isValue(shorter))
    }
  }

  @Test func `Values follow one another with white space between`() {
    var scanner = JSONScanner(Array(" [1] \n, \t{\"a\":2}".utf8))
    scanner.skipSpace()
    #expect(scanner.value().map { Array($0) } == Array("[1]".utf8))
    let hasComma = scanner.take(",")
    #expect(hasComma)
    #expect(!scanner.isAtEnd)
    #expect(scanner.value().map { Array($0) } == Array("{\"a\":2}".utf8))
    #expect(scanner.isAtEnd)
    #expect(scanner.value() == nil)
  }
}

struct JSONTextTests {
  private func name(_ content: String) -> String {
    JSONText.name(of: ArraySlice(content.utf8))
  }

  @Test(arguments: [
    ("", ""), ("abc", "abc"), ("a b~", "a b~"), ("é", #"\u00e9"#), (#"\u00E9"#, #"\u00e9"#),
    (#"\b\f\n\r\t"#, #"\u0008\u000c\u000a\u000d\u0009"#), (#"\"\\\/"#, #"\"\\/"#),
    ("\u{7F}", #"\u007f"#), ("😀", #"\ud83d\ude00"#), (#"\u0061"#, "a"), (#"\u0022"#, #"\""#),
  ])
  func `A name is all ASCII, and one for all spellings`(content: String, name: String) {
    #expect(self.name(content) == name)
  }

  @Test func `A name stands for the string that it was made of`() {
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
      let spelled = JSONText.content(of: name)
      #expect(JSONText.name(of: ArraySlice(spelled)) == name)
      #expect(JSONScanner.isValue([0x22] + spelled + [0x22]))
    }
  }

  @Test func `What is no JSON string has a name all the same`() {
    #expect(name("\\") == #"\ufffd"#)
    #expect(name("\\q") == #"\ufffd"#)
    #expect(name("\\u1") == #"\u0001"#)
  }
}
