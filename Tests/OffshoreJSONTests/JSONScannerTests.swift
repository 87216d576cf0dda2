import Foundation
import TestSupport
import Testing

@testable import OffshoreJSON

struct JSONScannerTests {
  private func isFoundationJSON(_ bytes: [UInt8]) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
  }

  @Test(arguments: [
    "0", "-1", "1.5e-3", "\"\"", "\"a\\n\\u00e9\"", "true", "false", "null", "[]", "{}",
    "[1,[2,{\"a\":[]}]]", "{\"a\":{\"b\":null},\"c\":1}", "[ 1 , 2 ]", "\"Öl 😀\"", "\"\\ud83d\"",
  ])
  func `A JSON value is accepted`(text: String) {
    #expect(JSONScanner.isValue(Array(text.utf8)))
  }

  @Test(arguments: [
    "", " 1", "1 ", "01", "-", "1.", ".1", "1e", "+1", "0x1", "\"", "\"a", "\"\t\"", "\"\\q\"",
    "\"\\u12\"", "tru", "nulll", "[", "]", "[1", "[1,", "[1,]", "[,]", "{", "}", "{\"a\"",
    "{\"a\":",
    "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{1:2}", "{\"a\" \"b\"}", "1 2", "[1}", "{\"a\":1]",
    "'a'",
  ])
  func `Any other text is refused`(text: String) {
    #expect(!JSONScanner.isValue(Array(text.utf8)))
  }

  @Test func `A string of bytes that are not UTF-8 is refused`() {
    for bytes in [[0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]]
      as [[UInt8]]
    {
      #expect(!JSONScanner.isValue(bytes))
    }
  }

  @Test func `An accepted text is accepted by Foundation, too`() {
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

  @Test func `A text that Foundation writes is accepted, and refused with a byte less`() throws {
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

  /// Returns the result of a closure that scans a whole text.
  private func scan<Result>(
    _ text: String, _ body: (inout JSONScanner) throws -> Result
  ) throws -> Result {
    var text = text
    return try text.withUTF8 { bytes in
      var scanner = JSONScanner(bytes)
      let result = try body(&scanner)
      try scanner.finish()
      return result
    }
  }

  private func raw(_ scanner: inout JSONScanner) throws -> String {
    String(decoding: try scanner.scanRawValue(), as: UTF8.self)
  }

  @Test func `Elements and members are found as they are written, without the space around them`()
    throws
  {
    var elements: [String] = []
    try scan(" [ [1] , \t{\"a\" :2}\n,-0.50E+1 ] ") { scanner in
      try scanner.scanArray { elements.append(try raw(&$0)) }
    }
    #expect(elements == ["[1]", "{\"a\" :2}", "-0.50E+1"])
    var members: [String] = []
    try scan("{ \"a\" : null , \"b\\n\":[ 1 ]}") { scanner in
      try scanner.scanObject { members.append("\($1)=\(try raw(&$0))") }
    }
    #expect(members == ["a=null", "b\n=[ 1 ]"])
  }

  @Test func `An array and an object may be empty`() throws {
    try scan("[ ]") { try $0.scanArray { _ in Issue.record("there is no element") } }
    try scan("{ }") { try $0.scanObject { _, _ in Issue.record("there is no member") } }
  }

  @Test func `Words are distinguished`() throws {
    #expect(try scan(" true") { try $0.scanBool() })
    #expect(try !scan("false ") { try $0.scanBool() })
    #expect(try scan("null") { $0.scanNull() })
    #expect(throws: JSONScanner.Fault.self) { try scan("nul") { $0.scanNull() } }
    #expect(throws: JSONScanner.Fault.self) { try scan("1") { try $0.scanBool() } }
  }

  @Test(arguments: ["1", "{", "[1]", "[1,", "{\"a\"}", "{\"a\":}", "{\"a\":1", "{a:1}"])
  func `A text of another form is a fault`(text: String) {
    #expect(throws: JSONScanner.Fault.self) {
      try scan(text) { try $0.scanObject { scanner, _ in _ = try scanner.scanRawValue() } }
    }
  }

  @Test func `A value that is nested too deep is a fault, not an overflow`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    let deepest = JSONScanner.maximumDepth + 1
    #expect(try scan(nested(deepest)) { try raw(&$0) } == nested(deepest))
    #expect(throws: JSONScanner.Fault("is nested too deep")) {
      try scan(nested(100_000)) { try raw(&$0) }
    }
  }

  // MARK: - Strings

  @Test(
    arguments: [
      #""\"\\\/\b\f\n\r\t""#, #""\u0041\u00e9\u00E9\u0000""#, #""\ud83d\uDEDF\u2028""#,
      #""a\\u0041""#, #""\uFFFF\ue000""#, #""🛟\n🛟""#, #" "" "#, "\"Ёлка e\u{301}\u{7F}\"",
    ])
  func `An escape is decoded as Foundation decodes it`(text: String) throws {
    let expected = try JSONDecoder().decode(String.self, from: Data(text.utf8))
    #expect(try scan(text) { try $0.scanString() } == expected)
  }

  @Test(
    arguments: [
      #""\q""#, #""\""#, #""\u""#, #""\u12""#, #""\u12g4""#, #""\ud83d""#, #""\ud83d\n""#,
      #""\ud83d\u0041""#, #""\udedf""#, #""\ud83d\ud83d""#, "\"\u{1}\"", "\"\\",
    ])
  func `An escape that means nothing is a fault`(text: String) {
    #expect(throws: JSONScanner.Fault.self) { try scan(text) { try $0.scanString() } }
  }

  @Test func `Half a surrogate pair is a part of a text, but not a string`() throws {
    let text = #""\ud83d""#
    #expect(
      try scan(text) { String(decoding: try $0.scanQuotedText(), as: UTF8.self) } == #"\ud83d"#)
    #expect(throws: JSONScanner.Fault("has a text with half a character")) {
      try scan(text) { try $0.scanString() }
    }
  }
}
