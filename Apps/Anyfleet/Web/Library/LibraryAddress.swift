import Anyfleet
import Foundation

extension Address {
  /// Where it is posted that something deleted is to be put back.
  static let restoreEntry = "\(library)/undo"
  /// Where it is posted that what was deleted need not be offered any more.
  static let dismissDeletedEntries = "\(library)/dismiss"

  /// A part of the library.
  static func library(_ part: LibraryPart) -> String {
    part == .checklists ? library : "\(library)?part=\(part.rawValue)"
  }

  /// The page of something in the library.
  static func entry(_ id: UUID, in part: LibraryPart) -> String {
    "\(library)/\(part.rawValue)/\(id.uuidString)"
  }

  /// The form of something new in the library.
  static func newEntry(in part: LibraryPart) -> String { "\(library)/\(part.rawValue)/new" }

  /// The form of something in the library.
  static func editEntry(_ id: UUID, in part: LibraryPart) -> String {
    "\(entry(id, in: part))/edit"
  }

  /// Where it is posted that something in the library is to be copied.
  static func copyEntry(_ id: UUID, in part: LibraryPart) -> String {
    "\(entry(id, in: part))/copy"
  }

  /// Where it is posted that something in the library is to be deleted.
  static func deleteEntry(_ id: UUID, in part: LibraryPart) -> String {
    "\(entry(id, in: part))/delete"
  }

  /// The page on which a deck is studied, after a number of cards that were answered.
  static func study(_ deck: UUID, answered count: Int = 0) -> String {
    "\(entry(deck, in: .decks))/study" + (count > 0 ? "?answered=\(count)" : "")
  }
}
