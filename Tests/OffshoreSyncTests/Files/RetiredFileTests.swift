import Foundation
import Offshore
import OffshoreWire
import TestSupport
import Testing

@testable import OffshoreSync

/// A photo without the column of its image, which a release has removed.
private struct BarePhoto: Record {
  let id: UUID
  var albumID: UUID
  static let table = Table(
    "photos", BarePhoto.init, Column("id", \.id).primaryKey(),
    Column("albumID", \.albumID).references("albums", onDelete: .cascade))
}

/// A photo whose column of the image was renamed.
private struct RenamedPhoto: Record {
  let id: UUID
  var albumID: UUID
  var picture: String?
  static let table = Table(
    "photos", RenamedPhoto.init, Column("id", \.id).primaryKey(),
    Column("albumID", \.albumID).references("albums", onDelete: .cascade),
    Column("picture", \.picture))
}

/// Releases that remove or rename a column of files.
@Suite(.timeLimit(.minutes(1)))
struct RetiredFileTests {
  private let folder: TemporaryFolder
  private let path: String
  private let album = UUID()
  private let scope: ScopeID
  /// A file that was not sent when the app was updated.
  private let unsent = BlobReference(ContentHash(of: [1]))
  /// A file that the server has.
  private let sent = BlobReference(ContentHash(of: [2]))

  /// The file of a device with the release before, of which the server has accepted a photo of each file.
  init() async throws {
    folder = try TemporaryFolder()
    path = folder.file("gallery.sqlite")
    scope = try ScopeID(kind: "album", value: album.uuidString)
    let store = try SyncedStore(path, schema: Gallery.schema)
    try await store.link(LinkedAccount(id: UUID(), name: "skipper"), token: "secret")
    try await store.write { [album, scope, unsent, sent] writer in
      try Album(id: album, title: "Vis").insert(writer)
      for file in [unsent, sent] {
        try Photo(id: UUID(), albumID: album, image: file.text).insert(writer)
      }
      var cursor = ScopeCursor(scope)
      cursor.role = .owner
      try cursor.save(writer)
      try SQL("UPDATE _file SET accepted = 1").run(writer)
      try FileQueue.complete(.send(sent.hash, scope), at: 1, writer)
    }
    await store.close()
  }

  private func open(
    _ photos: SyncTable, after statement: SQL? = nil, version: Int = 2
  ) throws -> SyncedStore {
    let creation = Migration("v1", .create(Album.table), .create(Photo.table))
    let update = statement.map { statement in Migration("v2") { try statement.run($0) } }
    return try SyncedStore(
      path,
      schema: StoreSchema(
        migrations: Migrations([creation] + [update].compactMap(\.self)),
        sync: try SyncSchema(
          version: version, SyncTable(Album.self, scope: .kind("album", \.id)), photos,
          claimableKinds: ["album"])))
  }

  /// Opens the file with the release that has removed the column.
  private func openWithoutImages() throws -> SyncedStore {
    try open(
      SyncTable(
        BarePhoto.self, scope: .kind("album", \.albumID),
        .retired("image", as: String?.self, isFile: true)),
      after: "ALTER TABLE photos DROP COLUMN image")
  }

  private func entries(_ store: SyncedStore) async throws -> [String: FileEntry] {
    let entries = try await store.read { try FileEntry.all.all($0) }
    return Dictionary(entries.map { ($0.hash, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private func nextJob(_ store: SyncedStore) async throws -> FileQueue.Job? {
    try await store.read { try FileQueue(reader: $0).next(at: 1_000) }
  }

  /// Returns the files that the device deletes, more than a day after the update.
  private func unneeded(_ store: SyncedStore) async throws -> Set<ContentHash> {
    try await store.write { writer in
      try store.replica.sealAll(writer, at: 1, makeID: UUID.init)
      try FileQueue.noteUnused(at: 1, writer)
      let files = try FileQueue(reader: writer).unneeded(at: FileQueue.grace + 1)
      return Set(files.map(\.hash))
    }
  }

  @Test func `The files of a removed column are sent, and then deleted`() async throws {
    let store = try openWithoutImages()
    let entries = try await entries(store)
    #expect(entries.values.map(\.references) == [0, 0])
    #expect(entries[unsent.hash.description]?.isOfFormerRelease == true)
    #expect(entries[sent.hash.description]?.isOfFormerRelease == false)
    #expect(try await nextJob(store) == .send(unsent.hash, scope))
    #expect(try await unneeded(store) == [sent.hash])
    try await store.write { try FileQueue.complete(.send(unsent.hash, scope), at: 2, $0) }
    #expect(try await nextJob(store) == nil)
    #expect(try await unneeded(store) == [unsent.hash, sent.hash])
  }

  @Test func `A file of a removed column that is not on the device is not fetched to be sent`()
    async throws
  {
    let store = try openWithoutImages()
    try await store.write { try FileQueue.wantMissing(unsent.hash, $0) }
    #expect(try await nextJob(store) == nil)
    #expect(try await unneeded(store) == [unsent.hash, sent.hash])
  }

  @Test(arguments: [Role.left, .revoked])
  func `The files of a removed column are deleted if the account may not send them`(role: Role)
    async throws
  {
    let store = try openWithoutImages()
    try await store.write { [scope] writer in
      var cursor = try ScopeCursor.of(scope, writer)
      cursor.role = role
      try cursor.save(writer)
    }
    #expect(try await nextJob(store) == nil)
    #expect(try await unneeded(store) == [unsent.hash, sent.hash])
  }

  @Test func `The files of a renamed column go on as before`() async throws {
    let store = try open(
      SyncTable(
        RenamedPhoto.self, scope: .kind("album", \.albumID), .file(\.picture),
        .formerly(\.picture, "image")),
      after: "ALTER TABLE photos RENAME COLUMN image TO picture")
    let manifest = try #require(try store.schema.manifest["photos"])
    #expect(manifest.fileColumns.map(\.name) == ["image"])
    let entries = try await entries(store)
    #expect(entries.values.allSatisfy { $0.references == 1 && $0.isOwn })
    #expect(entries.values.allSatisfy { !$0.isOfFormerRelease })
    #expect(entries[sent.hash.description]?.isStored == true)
    #expect(try await nextJob(store) == .send(unsent.hash, scope))
    #expect(try await unneeded(store) == [])
    try await store.write { _ = try RenamedPhoto.all.delete($0) }
    #expect(try await self.entries(store).values.map(\.references) == [0, 0])
  }

  @Test func `The files of a column that returns are those of its rows again`() async throws {
    let without = try open(SyncTable(Photo.self, scope: .kind("album", \.albumID)))
    #expect(try await entries(without)[unsent.hash.description]?.isOfFormerRelease == true)
    await without.close()
    let again = try open(
      SyncTable(Photo.self, scope: .kind("album", \.albumID), .file(\.image)), version: 3)
    let entries = try await entries(again)
    #expect(entries.values.allSatisfy { $0.references == 1 && !$0.isOfFormerRelease })
  }
}
