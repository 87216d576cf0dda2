import Foundation
import TestSupport
import Testing

@testable import OffshoreWire

struct CompoundValueTests {
  /// Returns the parts of a text. A part that is not a text is represented by its description.
  private func parts(_ text: String, _ form: CompoundValue.Form) -> [String: String] {
    CompoundValue(WireValue(text), form).parts.mapValues { $0.string ?? "\($0)" }
  }

  private func rejoined(_ text: String, _ form: CompoundValue.Form) -> String? {
    CompoundValue(WireValue(text), form).value.string
  }

  @Test func `The parts of an object are its keys, with their values as written`() {
    let text = " {\"b\" : 1.50 , \"a\":{ \"x\": [1, 2] },\"\":null\n} "
    #expect(parts(text, .object) == ["b": "1.50", "a": "{ \"x\": [1, 2] }", "": "null"])
    #expect(CompoundValue(WireValue(text), .object).shell == "{}")
    #expect(rejoined(text, .object) == "{\"\":null,\"a\":{ \"x\": [1, 2] },\"b\":1.50}")
  }

  @Test func `The last of duplicate keys counts`() {
    #expect(parts(#"{"a":1,"a":2}"#, .object) == ["a": "2"])
    #expect(parts(#"{"a":1,"\u0061":2}"#, .object) == ["a": "2"])
  }

  @Test func `The parts of an array are its members, each once`() {
    let text = #"["b", "a", "b", 1.0, 1, true, null]"#
    #expect(
      Set(parts(text, .set).keys) == ["\"b\"", "\"a\"", "1.0", "1", "true", "null"])
    #expect(rejoined(text, .set) == #"["a","b",1,1.0,null,true]"#)
    #expect(CompoundValue(WireValue(text), .set).shell == "[]")
  }

  @Test func `Keys are named in ASCII, and written with as few escapes as possible`() {
    let text = #"{"Öl\n\/\u0000\"\\":1,"😀":2,"\ud83d\ude00b":3}"#
    #expect(
      Set(parts(text, .object).keys)
        == [#"\u00d6l\u000a/\u0000\"\\"#, #"\ud83d\ude00"#, #"\ud83d\ude00b"#])
    #expect(rejoined(text, .object) == #"{"Öl\u000a/\u0000\"\\":1,"😀":2,"😀b":3}"#)
  }

  @Test func `Half a surrogate pair is preserved`() {
    let text = #"{"\ud83d":1,"\ude00x":2}"#
    #expect(Set(parts(text, .object).keys) == [#"\ud83d"#, #"\ude00x"#])
    #expect(rejoined(text, .object) == text)
  }

  @Test func `Keys of different bytes differ, even if their strings are equal in Swift`() {
    let text = "{\"e\u{301}\":1,\"\u{E9}\":2}"
    #expect(parts(text, .object) == [#"e\u0301"#: "1", #"\u00e9"#: "2"])
  }

  @Test(arguments: [
    "", " ", "1", "[", "[1,]", "[1 2]", "[1]]", "[,1]", "nul", "[\"a]", "{}", "[{}]", "[[1]]",
    "[\"\\x\"]", "[\"\\u12g4\"]", "[\"\\u12\"]", "[\"\n\"]", "[01]", "[1.]", "[.5]", "[1e]", "[-]",
    "[+1]", "[tru]", "\u{FEFF}[1]", "[NaN]", "[\"\\",
  ])
  func `A text that is not an array of scalars is preserved as a whole`(text: String) {
    let value = CompoundValue(WireValue(text), .set)
    #expect(value.parts.isEmpty)
    #expect(value.shell == WireValue(text))
    #expect(value.value == WireValue(text))
  }

  @Test(arguments: [
    "[]", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{1:1}", "{\"a\" 1}", "{\"a\":1}x",
    "{\"a\":{\"b\":1,}}", "{\"a\":{\"b\"}}", "{\"a\":{b:1}}", "{\"a\":[1}",
  ])
  func `A text that is not an object is preserved as a whole`(text: String) {
    #expect(CompoundValue(WireValue(text), .object).shell == WireValue(text))
  }

  @Test func `A value that is not a text is preserved as a whole`() {
    for value in [
      .null, 1, .blob([0x7B, 0x7D]), .text([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D]),
    ]
      as [WireValue]
    {
      #expect(CompoundValue(value, .object).shell == value)
      #expect(CompoundValue(value, .object).value == value)
    }
  }

  @Test func `Texts without parts preserve their kind`() {
    #expect(rejoined(" { } ", .object) == "{}")
    #expect(rejoined("[ ]", .set) == "[]")
  }

  @Test func `A removed part is not written`() {
    let value = CompoundValue(.object, shell: .null, parts: ["a": .null, "b": "1"])
    #expect(value.value == "{\"b\":1}")
    #expect(CompoundValue(.object, shell: .null, parts: ["a": .null]).value == .null)
  }

  @Test func `A part that is not a text is written as null`() {
    #expect(CompoundValue(.object, shell: .null, parts: ["a": 7]).value == "{\"a\":null}")
  }

  @Test func `Deep nesting is refused and does not crash the process`() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(CompoundValue(WireValue("{\"a\":\(deep)"), .object).parts.isEmpty)
    let allowed = String(repeating: "[", count: 90) + String(repeating: "]", count: 90)
    #expect(parts("{\"a\":\(allowed)}", .object) == ["a": allowed])
  }

  @Test func `Numbers of all notations are values`() {
    for number in ["0", "-0", "10", "1.5", "-1.25e10", "1E+2", "1e-2", "0.0"] {
      #expect(parts("[\(number)]", .set) == [number: "an integer"])
    }
  }

  /// Returns a random JSON value for Foundation.
  private func json(_ random: inout SeededRandom, depth: Int = 0) -> Any {
    switch random.number(below: depth > 2 ? 4 : 6) {
    case 0: random.number(below: 1_000)
    case 1: random.number(below: 2) == 0
    case 2: NSNull()
    case 3:
      String(
        (0..<random.number(below: 4)).map { _ in "aÖ\"\\\n😀/".randomElement(using: &random) ?? "x" }
      )
    case 4: (0..<random.number(below: 3)).map { _ in json(&random, depth: depth + 1) }
    default:
      Dictionary(
        (0..<random.number(below: 4)).map { ("k\($0)é", json(&random, depth: depth + 1)) },
        uniquingKeysWith: { $1 })
    }
  }

  @Test func `Foundation parses the same object from a text that was split and joined`() throws {
    var random = SeededRandom(seed: 5)
    for _ in 0..<300 {
      let object = Dictionary(
        (0..<4).map { ("\"é\\\($0)", json(&random)) }, uniquingKeysWith: { $1 })
      let data = try JSONSerialization.data(withJSONObject: object, options: .prettyPrinted)
      let value = CompoundValue(.text(Array(data)), .object)
      #expect(value.parts.count == 4)
      guard case .text(let bytes) = value.value else { continue }
      let read = try JSONSerialization.jsonObject(with: Data(bytes))
      #expect((read as? NSDictionary) == object as NSDictionary)
    }
  }

  @Test func `Joining the parts and splitting them again changes nothing`() {
    let text = #"{"b":[1, 2],"\u00e9":"x","a\"":null}"#
    let once = CompoundValue(WireValue(text), .object)
    #expect(CompoundValue(once.value, .object) == once)
  }
}

struct FieldNameTests {
  @Test func `A name is a column, or a column and a key`() {
    #expect(FieldName("items") == FieldName(column: "items"))
    #expect(FieldName("items.a.b") == FieldName(column: "items", key: "a.b"))
    #expect(FieldName("items.") == FieldName(column: "items", key: ""))
    #expect(FieldName(column: "items", key: "a.b").text == "items.a.b")
    #expect(FieldName(column: "items").text == "items")
  }
}
