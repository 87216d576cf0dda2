import Foundation
import Offshore

/// An element with an id, a text and a date, for most tests.
struct Note: Codable, Identifiable, Equatable, Sendable {
  let id: String
  var text: String
  var date: Date?

  init(_ id: String, _ text: String = "", date: Date? = nil) {
    (self.id, self.text, self.date) = (id, text, date)
  }
}

/// The row of a note in a table.
struct NoteRow: Record, Identifiable, Equatable {
  let id: String
  var text: String
  var date: Date?
  var position: Int

  static let table = Table(
    "notes", NoteRow.init,
    Column("id", \.id).primaryKey(), Column("text", \.text), Column("date", \.date),
    Column("position", \.position))

  static let migrations: Migrations = [Migration("v1", .create(NoteRow.table))]

  var note: Note { Note(id, text, date: date) }
}

extension NoteRow {
  init(_ note: Note, _ position: Int) {
    self.init(id: note.id, text: note.text, date: note.date, position: position)
  }
}
