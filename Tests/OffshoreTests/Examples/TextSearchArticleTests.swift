import Foundation
import Offshore
import TestSupport
import Testing

// The examples of the article “Text search”; Tests/Gates holds the two to the same lines.

struct Note: Identifiable, Equatable, Sendable, Record {
  let id: UUID
  var title: String
  var body: String?
  var date: Date

  static let table = Table(
    "notes", Note.init(id:title:body:date:),
    Column("id", \.id).primaryKey(), Column("title", \.title), Column("body", \.body),
    Column("date", \.date).indexed())
}

extension Note {
  static let text = TextIndex(of: table, \.title, \.body).weight(\.title, 10)
}

struct TextSearchArticleTests {
  @Test func `Searching, highlighting and upkeep`() throws {
    let migrations: Migrations = [
      Migration("v1", .create(Note.table)),
      Migration("v2_searchNotes", .create(Note.text)),
      Migration(
        "v3_renameContent", .drop(Note.text), .renameColumn("content", to: "body", in: Note.table),
        .create(Note.text)),
    ]
    let folder = try TemporaryFolder()
    let connection = try Connection(folder.file("notes.sqlite"))
    try connection.migrate(migrations)
    try connection.write { writer throws in
      let bodies = ["Sour bread, with rye", "Sour brew", "Tea"]
      for (day, body) in bodies.enumerated() {
        let date = Date(timeIntervalSinceReferenceDate: Double(day) * 86_400)
        try Note(id: UUID(), title: "Note \(day)", body: body, date: date).insert(writer)
      }
      let reader: Reader = writer
      let newest = Note.matching("sour bre", in: Note.text)
        .order { $0.date.descending }
        .limit(50)
      let notes = try newest.all(reader)
      let exact = try Note.matching("bread", in: Note.text, words: .whole).count(reader)
      #expect(notes.map(\.title) == ["Note 1", "Note 0"] && exact == 1)
      let best = try Note.matching("bread", in: Note.text).byRank().limit(20).all(reader)
      #expect(best.map(\.title) == ["Note 0"])
      let title = HighlightedText("Rye bread", matching: "bre")
      var hits: [Substring] = []
      for part in title.parts {
        hits += part.isHit ? [part.text] : []
      }
      #expect(hits == ["bread"])
      let snippet = HighlightedText(notes[0].body ?? "", matching: "sour bre").snippet(words: 12)
      #expect(snippet.ranges.count == 2)
      try writer.drop(Note.text)
      try writer.create(Note.text)
      try writer.verify(Note.text)
      try writer.rebuild(Note.text)
      #expect(try newest.count(reader) == 2)
    }
  }
}
