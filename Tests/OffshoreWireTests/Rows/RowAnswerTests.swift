import TestSupport
import Testing

@testable import OffshoreWire

/// The parsing of rows and pages in answers.
struct RowAnswerTests {
  private static let row =
    #"{"etag":"\"x\"","id":"a/b","scope":"list/7","values":{"title":"Tea","size":1.50,"tags":[1]}}"#

  @Test func `A row is parsed, with its values as they are spelled`() throws {
    let row = try RowAnswer(Array(Self.row.utf8))
    #expect(row.entityTag == "\"x\"" && row.id == "a/b")
    #expect(try row.scope == ScopeID(kind: "list", value: "7"))
    #expect(
      row.values.mapValues { String(decoding: $0, as: UTF8.self) } == [
        "title": #""Tea""#, "size": "1.50", "tags": "[1]",
      ])
  }

  @Test func `Members of a newer server and white space are ignored`() throws {
    let spaced = """
      { "new": {"a": [1, {}]}, "values": { "title" : "Tea" }, "id": "3", "scope": "list/7",
        "etag": "\\"x\\"", "more": null }
      """
    let row = try RowAnswer(Array(spaced.utf8))
    #expect(row.id == "3" && row.values == ["title": Array(#""Tea""#.utf8)])
  }

  @Test func `A page has its rows and the place of the next one`() throws {
    let (row, next) = (Self.row, "list/7/a/b")
    let page = try RowsAnswer(Array(#"{"next":"\#(next)","rows":[\#(row),\#(row)]}"#.utf8))
    #expect(page.next == next)
    #expect(page.rows == Array(repeating: try RowAnswer(Array(row.utf8)), count: 2))
    let last = try RowsAnswer(Array(#"{"next":null,"rows":[]}"#.utf8))
    #expect(last.next == nil && last.rows == [])
    #expect(try RowsAnswer(Array(#"{"rows":[],"new":1}"#.utf8)).next == nil)
  }

  @Test(arguments: [
    "", "[]", "null", "{}", #"{"id":"3"}"#, #"{"etag":"x","id":"3","scope":"list/7"}"#,
    #"{"etag":1,"id":"3","scope":"list/7","values":{}}"#,
    #"{"etag":"x","id":"3","scope":"list","values":{}}"#,
    #"{"etag":"x","id":"3","scope":"list/7","values":[]}"#,
    #"{"etag":"x","id":"3","scope":"list/7","values":{}} {}"#,
  ])
  func `A text that is not a row is refused, without a value in the message`(json: String) {
    let error = #expect(throws: WireError.self) { try RowAnswer(Array(json.utf8)) }
    #expect(error?.code == .malformed && error?.message.hasPrefix("The answer ") == true)
  }

  @Test(arguments: ["", "[]", "{}", #"{"next":1,"rows":[]}"#, #"{"rows":{}}"#, #"{"rows":[{}]}"#])
  func `A text that is not a page is refused`(json: String) {
    let error = #expect(throws: WireError.self) { try RowsAnswer(Array(json.utf8)) }
    #expect(error?.code == .malformed)
  }

  @Test func `Mutated pages are refused or parsed, and none of them traps`() {
    var random = SeededRandom(seed: 11)
    let awkward = Array("{}[]\",:\\/u0e.-\u{0}".utf8) + [0xFF, 0xC0]
    let page = Array(#"{"next":"list/7/3","rows":[\#(Self.row)]}"#.utf8)
    var parsed = 0
    for _ in 0..<5_000 {
      var bytes = page
      for _ in 0...random.number(below: 3) {
        let index = random.number(below: bytes.count)
        switch random.number(below: 3) {
        case 0: bytes[index] = awkward[random.number(below: awkward.count)]
        case 1: bytes.remove(at: index)
        default: bytes.insert(awkward[random.number(below: awkward.count)], at: index)
        }
      }
      if (try? RowsAnswer(bytes)) != nil { parsed += 1 }
    }
    #expect(parsed > 0 && parsed < 5_000)
  }
}
