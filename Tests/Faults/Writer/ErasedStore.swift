import Foundation
import Offshore
import OffshoreSync

/// A synced file that is filled with a text, in rows, a text index, settings and files, and then erased.
enum ErasedStore {
  /// The number of rows, of which the last tenth is deleted again.
  private static let rowCount = 500

  /// Fills a file, unless it has rows, and erases it. Prints lines all the time while it erases, so that
  /// a test can kill the process at any moment of it.
  static func run(_ path: String, mark: String) async throws {
    let store = try SyncedStore(path, schema: schema)
    if try await store.read({ try !Memo.all.exists($0) }) { try await fill(store, mark) }
    let ticks = Thread { while true { write("tick") } }
    ticks.start()
    let isComplete = try await store.erase()
    write(isComplete ? "erased" : "remains")
    exit(0)
  }

  private static func fill(_ store: SyncedStore, _ mark: String) async throws {
    try await store.link(LinkedAccount(id: UUID(), name: mark), token: mark)
    try await store.set("note", to: mark)
    let photo = try await store.files.add(Array(String(repeating: mark, count: 1_000).utf8)).text
    try await store.write { writer in
      for number in 0..<rowCount {
        try Memo(id: UUID(), ownerID: UUID(), text: "\(mark) \(number)", photo: photo)
          .insert(writer)
      }
    }
    try await store.write { writer in
      try SQL("DELETE FROM memos WHERE rowid > \(rowCount * 9 / 10)").run(writer)
    }
  }

  private static func write(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  private static let schema = StoreSchema(
    migrations: [Migration("v1", .create(Memo.table), .create(Memo.words))],
    sync: try SyncSchema(
      version: 1, SyncTable(Memo.self, scope: .kind("person", \.ownerID), .file(\.photo)),
      personalKinds: ["person"]))
}

/// A note of a user, with a photo.
private struct Memo: Record, Identifiable {
  let id: UUID
  let ownerID: UUID
  let text: String
  let photo: String

  static let table = Table(
    "memos", Memo.init, Column("id", \.id).primaryKey(), Column("ownerID", \.ownerID),
    Column("text", \.text), Column("photo", \.photo))

  static let words = TextIndex(of: table, \.text)
}
