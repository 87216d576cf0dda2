import Foundation
import OffshoreJSON
import TestSupport
import Testing

@testable import Anyfleet

struct ItemStatesTests {
  private let a = "00000000-0000-0000-0000-00000000000A"
  private let b = "00000000-0000-0000-0000-00000000000B"

  private func read(_ json: String) throws -> ItemStates {
    var json = json
    return try json.withUTF8 { try ItemStates(json: $0) }
  }

  private func id(_ text: String) throws -> UUID { try #require(UUID(uuidString: text)) }

  @Test func `The specified form is read and written`() throws {
    let json =
      "{\"\(a)\":{\"checked\":true,\"checkedAt\":\"2026-03-01T08:30:00Z\"},"
      + "\"\(b)\":{\"checked\":false,\"checkedAt\":null}}"
    let states = try read(json)
    let date = try Date("2026-03-01T08:30:00Z", strategy: .iso8601)
    #expect(
      states.entries == [
        try id(a): .init(isChecked: true, checkedAt: date), try id(b): .init(isChecked: false),
      ])
    #expect(states.json == json)
  }

  @Test func `The name of the account that checked an item is read and written`() throws {
    let json =
      "{\"\(a)\":{\"checked\":true,\"checkedAt\":null,\"checkedBy\":\"Zoë \\\"Z\\\"\",\"x\":1}}"
    var states = try read(json)
    #expect(states.entries[try id(a)]?.checkedBy == "Zoë \"Z\"")
    #expect(states.json == json)
    states.set(try id(a), isChecked: false, at: .day(6, 6), by: "ada")
    #expect(states.entries[try id(a)]?.checkedBy == nil)
    states.set(try id(a), isChecked: true, at: .day(6, 6), by: "ada")
    #expect(states.json.contains(#""checkedBy":"ada","x":1"#))
  }

  @Test func `A name that is not a text is preserved`() throws {
    let json = #"{"\#(a)":{"checked":true,"checkedAt":null,"checkedBy":{"id":1}}}"#
    #expect(try read(json).json == json)
  }

  @Test func `An empty state is an empty object`() throws {
    #expect(try read("{}").entries.isEmpty)
    #expect(try read(" { } \n").entries.isEmpty)
    #expect(ItemStates().json == "{}")
  }

  @Test func `Unknown members are preserved, to the last digit`() throws {
    let others =
      "\"by\":{\"name\":\"Zo\\u00eb \\\"Z\\\"\",\"list\":[1, 2.50, -3e+10, null,true ,[]]},"
      + "\"number\":123456789012345678901234567890.10"
    let json = "{\"\(a)\":{\"checked\":true,\"checkedAt\":null,\(others)}}"
    var states = try read(json)
    #expect(states.json == json)
    states.set(try id(a), isChecked: false, at: .day(6, 6), by: nil)
    #expect(states.json == json.replacing("true,\"checkedAt\"", with: "false,\"checkedAt\""))
  }

  @Test func `Unknown keys are preserved`() throws {
    let json = #"{"\#(a)":{"checked":true,"checkedAt":null,"a/b\/\u0063é":1,"\u0063":2}}"#
    #expect(try read(json).json == json)
  }

  @Test func `Members may come in any order, with white space and escaped keys`() throws {
    let states = try read(
      "{\n \"\(a)\" : { \"x\" : 1 , \"checkedAt\" : null , \"che\\u0063ked\" : true } }")
    #expect(
      try #require(states.entries[id(a)]) == .init(isChecked: true, otherMembers: "\"x\":1"))
  }

  @Test func `Ids may be in lower case and are written in upper case`() throws {
    let states = try read("{\"\(a.lowercased())\":{\"checked\":true}}")
    #expect(states.json == "{\"\(a)\":{\"checked\":true,\"checkedAt\":null}}")
  }

  @Test(arguments: [
    ("2026-03-01T08:30:00Z", "2026-03-01T08:30:00Z"),
    ("2026-03-01T08:30:00.250Z", "2026-03-01T08:30:00.250Z"),
    ("2026-03-01T08:30:00.000Z", "2026-03-01T08:30:00Z"),
    ("2026-03-01T10:30:00+02:00", "2026-03-01T08:30:00Z"),
    ("2026-03-01T08:30:00.25Z", "2026-03-01T08:30:00.250Z"),
    ("2026-03-01T08\\u003a30:00Z", "2026-03-01T08:30:00Z"),
  ]) func `Dates of any offset and fraction are read to the millisecond`(
    _ text: String, _ written: String
  ) throws {
    let states = try read("{\"\(a)\":{\"checked\":true,\"checkedAt\":\"\(text)\"}}")
    let date = try #require(states.entries[id(a)]?.checkedAt)
    #expect(ItemStates.text(of: date) == written)
  }

  @Test func `Every millisecond survives writing and reading`() throws {
    for millisecond in 0..<1000 {
      let date = Date(timeIntervalSince1970: 1_772_353_800 + Double(millisecond) / 1000)
      let states = ItemStates(entries: [try id(a): .init(isChecked: true, checkedAt: date)])
      #expect(try read(states.json) == states)
    }
    for date in [Date(timeIntervalSince1970: -0.25), .day(1, 1), Date(timeIntervalSince1970: 0)] {
      let states = ItemStates(entries: [try id(a): .init(isChecked: true, checkedAt: date)])
      #expect(try read(states.json) == states)
    }
  }

  @Test func `Items are written in the order of their ids`() throws {
    let ids = (0..<50).map { _ in UUID() }
    let states = ItemStates(
      entries: Dictionary(uniqueKeysWithValues: ids.map { ($0, .init(isChecked: true)) }))
    let written = states.json.matches(of: /"([-0-9A-F]{36})"/).map { String($0.1) }
    #expect(written == ids.map(\.uuidString).sorted())
    #expect(try read(states.json) == states)
  }

  @Test(arguments: [
    "", "null", "[]", "{", "{\"\"}", "{\"secret\":{\"checked\":true}}",
    "{\"00000000-0000-0000-0000-00000000000A\":true}",
    "{\"00000000-0000-0000-0000-00000000000A\":{}}",
    "{\"00000000-0000-0000-0000-00000000000A\":{\"checked\":1}}",
    "{\"00000000-0000-0000-0000-00000000000A\":{\"checked\":true,\"checked\":false}}",
    "{\"00000000-0000-0000-0000-00000000000A\":{\"checked\":true,\"checkedAt\":\"secret\"}}",
    "{\"00000000-0000-0000-0000-00000000000A\":{\"checked\":true,\"checkedAt\":5}}",
    "{\"00000000-0000-0000-0000-00000000000A\":{\"checked\":true,\"x\":}}",
    "{\"00000000-0000-0000-0000-00000000000A\":{\"checked\":true,\"x\":01}}",
    "{\"00000000-0000-0000-0000-00000000000A\":{\"checked\":true,\"x\":1.}}",
    "{\"00000000-0000-0000-0000-00000000000A\":{\"checked\":true,\"x\":[1,]}}",
    "{\"00000000-0000-0000-0000-00000000000A\":{\"checked\":true,\"\\q\":1}}",
    "{\"00000000-0000-0000-0000-00000000000A\":{\"checked\":true,\"x\":\"a\nb\"}}",
    "{\"00000000-0000-0000-0000-00000000000A\":{\"checked\":true},}",
    "{\"00000000-0000-0000-0000-00000000000A\":{\"checked\":true}}x",
    "{\"00000000-0000-0000-0000-00000000000A\":{\"checked\":true}",
    "{\"00000000-0000-0000-0000-00000000000A\":{\"checked\":true,\"x\":\"\\",
    "{\"00000000-0000-0000-0000-00000000000A\":{\"checked\":true},"
      + "\"00000000-0000-0000-0000-00000000000a\":{\"checked\":true}}",
  ]) func `An invalid object is an error that contains none of its text`(_ json: String) {
    let fault = #expect(throws: JSONScanner.Fault.self) { try read(json) }
    #expect(fault?.reason.contains("secret") == false)
  }

  @Test func `An object that is nested too deeply is an error, and one at the limit is not`() throws
  {
    func nested(_ depth: Int) -> String {
      "{\"\(a)\":{\"checked\":true,\"x\":" + String(repeating: "[", count: depth)
        + String(repeating: "]", count: depth) + "}}"
    }
    #expect(try read(nested(JSONScanner.maximumDepth)).entries.count == 1)
    #expect(throws: JSONScanner.Fault.self) { try read(nested(100_000)) }
  }

  @Test func `Invalid UTF-8 is an error`() {
    let bytes: [UInt8] = Array("{\"".utf8) + [0xFF, 0xFE] + Array("\":1}".utf8)
    #expect(throws: JSONScanner.Fault.self) {
      try bytes.withUnsafeBufferPointer { try ItemStates(json: $0) }
    }
  }

  @Test func `Checking again preserves the date, and unchecking clears it`() throws {
    var states = ItemStates()
    let id = try id(a)
    var isChanged = [states.set(id, isChecked: true, at: .day(6, 6), by: nil)]
    isChanged.append(states.set(id, isChecked: true, at: .day(6, 7), by: nil))
    #expect(states.entries[id]?.checkedAt == .day(6, 6))
    isChanged.append(states.set(id, isChecked: false, at: .day(6, 8), by: nil))
    isChanged.append(states.set(id, isChecked: false, at: .day(6, 8), by: nil))
    #expect(isChanged == [true, false, true, false])
    #expect(states.entries[id] == .init(isChecked: false))
    states.set(id, isChecked: true, at: .day(6, 9), by: nil)
    #expect(states.entries[id]?.checkedAt == .day(6, 9))
  }
}
