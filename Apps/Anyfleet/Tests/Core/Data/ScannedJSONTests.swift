import Foundation
import Offshore
import OffshoreJSON
import Testing

@testable import Anyfleet

struct ScannedJSONTests {
  private let id = "00000000-0000-0000-0000-00000000000A"

  private func scanned(_ json: String) throws -> [ChecklistSection] {
    var json = json
    return try json.withUTF8 { try [ChecklistSection](json: $0) }
  }

  @Test func `Sections are decoded as they were encoded, for texts of any characters`() throws {
    let texts = [
      "", "plain", "“quoted” \"twice\"", "a\\b/c", "two\nlines\r\n\ttab", "\u{8}\u{C}\u{0}\u{1F}",
      "Ёлка Λευκάδα 🛟 e\u{301}", "\u{7F}\u{2028}\u{FFFD}",
    ]
    let items = texts.map { ChecklistItem(id: UUID(), title: $0, note: $0, isCritical: true) }
    let sections =
      texts.map { ChecklistSection(id: UUID(), title: $0, isExpandedByDefault: false) }
      + [ChecklistSection(id: UUID(), title: "", items: items + [.init(id: UUID(), title: "")])]
    let json = String(decoding: try JSONEncoder().encode(sections), as: UTF8.self)
    #expect(try scanned(json) == sections)
    #expect(try scanned("[]") == [])
  }

  @Test func `Keys may come in any order, with white space, and ids in lower case`() throws {
    let json = """
      [ { "items" : [ { "title":"B","isCritical" : true , "note": null,
        "id":"\(id.lowercased())" } ], "isExpandedByDefault":false, "title" :"A", "id":"\(id)" } ]
      """
    let id = try #require(UUID(uuidString: id))
    let item = ChecklistItem(id: id, title: "B", isCritical: true)
    #expect(
      try scanned(json) == [
        ChecklistSection(id: id, title: "A", isExpandedByDefault: false, items: [item])
      ])
  }

  /// Returns the sections that a stored text decodes to, or `nil` if it cannot be read.
  private func storedSections(_ json: String) async throws -> [ChecklistSection]? {
    let fixture = try Fixture()
    let checklist = try await fixture.checklist()
    try await fixture.run("UPDATE checklists SET sections = \(json)")
    return try? await fixture.repository.fetchChecklist(checklist.id)?.sections
  }

  @Test func `JSON of an unusual form is passed on to the decoder`() async throws {
    let members = #""id":"\#(id)","isExpandedByDefault":true,"items":[]"#
    let unusual = [
      #"[{\#(members),"title":"A","color":{"red":[1,2.5]}}]"#,
      #"[{\#(members),"title":"A","color":null}]"#,
    ]
    for json in unusual {
      #expect(throws: JSONScanner.Fault.self) { try scanned(json) }
      #expect(try await storedSections(json)?.map(\.title) == ["A"])
    }
  }

  @Test func `JSON that the decoder refuses is refused`() async throws {
    let members = #""id":"\#(id)","isExpandedByDefault":true,"items":[]"#
    for json in [
      "", "{}", "[{}]", #"[{\#(members)}]"#, #"[{\#(members),"title":null}]"#,
      #"[{\#(members),"title":"A"}"#, #"[{\#(members),"title":"A"}]x"#,
      #"[{\#(members),"title":"\ud83d"}]"#,
    ] {
      #expect(throws: JSONScanner.Fault.self) { try scanned(json) }
      #expect(try await storedSections(json) == nil, "\(json)")
    }
  }

  @Test func `A blob in place of the text is refused`() async throws {
    let fixture = try Fixture()
    let checklist = try await fixture.checklist()
    try await fixture.run("UPDATE checklists SET sections = CAST(sections AS BLOB)")
    await #expect(throws: RepositoryError.self) {
      _ = try await fixture.repository.fetchChecklist(checklist.id)
    }
  }
}
