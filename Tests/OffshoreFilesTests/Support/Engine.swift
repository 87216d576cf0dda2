import Foundation
import Offshore
import OffshoreFiles

/// The places of a collection, all of which pass the same tests.
enum Engine: CaseIterable {
  case file, memory, table

  /// Returns a place without elements.
  func makePlace() throws -> EnginePlace {
    switch self {
    case .file:
      let folder = try TestFolder()
      return EnginePlace(keeping: folder) {
        folder.open().collection("notes.json", of: Note.self)
      }
    case .memory:
      let folder = DocumentFolder.inMemory()
      return EnginePlace(keeping: folder) { folder.collection("notes.json", of: Note.self) }
    case .table:
      let database = try Database.temporary(migrations: NoteRow.migrations)
      return EnginePlace(keeping: database) { TableCollection.notes(in: database) }
    }
  }
}

/// A place of a collection.
struct EnginePlace {
  /// Opens the collection by a new object, as another process does.
  let open: () -> any ElementStore<Note>
  private let owner: Any

  init(keeping owner: Any, open: @escaping () -> any ElementStore<Note>) {
    (self.owner, self.open) = (owner, open)
  }
}

extension TableCollection<Note, NoteRow> {
  static func notes(in database: Database) -> Self {
    Self(
      database, position: \.position, makeRow: { NoteRow($0, $1) }, makeElement: { $0.note })
  }
}
