import Foundation
import TestSupport
import Testing

@testable import OffshoreWire

/// The representation of values in JSON.
struct ValueTextTests {
  private static let any = SyncedColumn("v", .any, isNullable: true)

  @Test(
    arguments: [
      (.null, "null"), (0, "0"), (.integer(.max), "9223372036854775807"),
      (.integer(.min), "-9223372036854775808"), (1.0, "1.0"), (0.1, "0.1"),
      (.real(-0.0), "-0.0"), (.real(.leastNonzeroMagnitude), "5e-324"),
      (.real(.greatestFiniteMagnitude), "1.7976931348623157e+308"),
      (.real(.infinity), #"{"real":"Infinity"}"#), (.real(-.infinity), #"{"real":"-Infinity"}"#),
      ("", #""""#), ("a\"\\\n\u{1}é\u{2028}𝄞", "\"a\\\"\\\\\\u000a\\u0001é\u{2028}𝄞\""),
      (.text([0xFF, 0x41]), #"{"textBase64":"/0E="}"#), (.blob([]), #"{"base64":""}"#),
      (.blob([0, 255]), #"{"base64":"AP8="}"#), ("{\"a\":1}", #""{\"a\":1}""#),
    ] as [(WireValue, String)])
  func `Each value has one JSON text, which is parsed as that value`(
    value: WireValue, json: String
  ) throws {
    #expect(String(decoding: ValueText.json(value, of: Self.any), as: UTF8.self) == json)
    #expect(try ValueText.value(Array(json.utf8), of: Self.any) == value)
    let foundation = try JSONSerialization.jsonObject(with: Data("[\(json)]".utf8))
    #expect(foundation is [Any])
  }

  @Test func `A finite real is preserved bit for bit`() throws {
    var random = SeededRandom(seed: 27)
    for _ in 0..<10_000 {
      let number = Double(bitPattern: random.next())
      guard number.isFinite else { continue }
      let json = ValueText.json(.real(number), of: Self.any)
      #expect(try ValueText.value(json, of: Self.any) == .real(number))
    }
  }

  @Test func `Sets and maps are JSON, and a malformed one is a text`() throws {
    let set = SyncedColumn("v", .text, isNullable: true, policy: .set)
    let map = SyncedColumn("v", .text, isNullable: true, policy: .keyed)
    for (column, text, json) in [
      (set, #"["b", 1,"a"]"#, #"["a","b",1]"#), (set, "[]", "[]"),
      (map, #"{"b": [1, 2], "a":1e2}"#, #"{"a":1e2,"b":[1, 2]}"#), (map, "{}", "{}"),
      (map, "null", #""null""#), (set, "{}", #""{}""#),
    ] {
      let spelled = ValueText.json(WireValue(text), of: column)
      #expect(String(decoding: spelled, as: UTF8.self) == json)
      let read = try ValueText.value(spelled, of: column)
      #expect(column.fields(of: read) == column.fields(of: WireValue(text)))
    }
    #expect(ValueText.json(.null, of: map) == Array("null".utf8))
    for (column, json) in [(set, "[[1]]"), (set, "{}"), (map, "[]"), (map, #"{"base64":"#)] {
      #expect(throws: Rejection.self) { try ValueText.value(Array(json.utf8), of: column) }
    }
    let sealed = SyncedColumn("v", .blob, isSealed: true)
    #expect(ValueText.json(.blob([1]), of: sealed) == Array(#"{"base64":"AQ=="}"#.utf8))
  }

  @Test func `A refusal names the column and the remedy, and no value`() {
    for (json, message) in [
      ("true", "No column stores true or false. Send 1 or 0."),
      ("9223372036854775808", "An integer has 64 bits. Send a smaller one."),
      (#""\ud800""#, "Send a string whose escapes stand for characters."),
    ] {
      let refusal = #expect(throws: Rejection.self) {
        try ValueText.value(Array(json.utf8), of: Self.any)
      }
      #expect(refusal?.code == .invalidValue && refusal?.field == "v")
      #expect(refusal?.message == message)
    }
  }

  @Test func `True and false have no remedy in a column without numbers`() {
    let refusal = #expect(throws: Rejection.self) {
      try ValueText.value(Array("true".utf8), of: SyncedColumn("v", .text))
    }
    #expect(refusal?.message == "The column stores text, not true or false.")
  }

  @Test func `An increment is an integer of 64 bits`() throws {
    #expect(try ValueText.integer(Array("-7".utf8), "n") == -7)
    for json in ["1.5", "9223372036854775808", "null", #""1""#] {
      #expect(throws: Rejection.self) { try ValueText.integer(Array(json.utf8), "n") }
    }
  }

  @Test(arguments: [
    "true", "false", "9223372036854775808", "1e999", #""\ud800""#, "[]", "{}",
    #"{"base64":"?"}"#, #"{"base64":1}"#, #"{"real":"NaN"}"#, #"{"base64":"","real":""}"#, "",
    "\u{1}", "\"", "-", "0x1p3", "nan", "nul", "inf",
  ])
  func `A text that is not a value is refused`(json: String) {
    #expect(throws: Rejection.self) {
      try ValueText.value(Array(json.utf8), of: Self.any)
    }
  }
}
