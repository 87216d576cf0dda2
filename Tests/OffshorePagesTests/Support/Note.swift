import Foundation
import OffshoreFiles

/// An element of a group of files, whose changes are logged.
struct Note: LoggedElement {
  var id = UUID()
  var text: String

  static let fileName = "notes.json"

  init(_ text: String) { self.text = text }

  static func edit(_ edit: ElementEdit<Self>) -> NoteEdit { .note(edit) }
}

enum NoteEdit: LoggedEdit {
  case note(ElementEdit<Note>)

  static let elementTypes: [any LoggedElement<NoteEdit>.Type] = [Note.self]

  var typed: any TypedEdit<NoteEdit> {
    switch self {
    case .note(let edit): edit
    }
  }

  var texts: (before: String?, after: String?) {
    switch self {
    case .note(let edit): (edit.before?.text, edit.after?.text)
    }
  }
}

struct NoteChange: LoggedChange {
  let id: UUID
  var moment: Date
  var edits: [NoteEdit]

  static let fileName = "changes.json"
  static let logLimit = 100
}
