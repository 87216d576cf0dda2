import Foundation
import Offshore
import OffshoreWire
import TestSupport
import Testing

@testable import OffshoreSync

/// The counts of the rows that refer to files.
@Suite(.timeLimit(.minutes(1)))
struct FileTriggersTests {
  private let store: SyncedStore
  private let album = UUID()
  private let first = BlobReference(ContentHash(of: [1]))
  private let second = BlobReference(ContentHash(of: [2]))

  init() throws { store = try .temporary(schema: Gallery.schema) }

  private func link() async throws {
    try await store.link(LinkedAccount(id: UUID(), name: "skipper"), token: "secret")
  }

  private func counts() async throws -> [String: Int64] {
    let entries = try await store.read { try FileEntry.all.all($0) }
    return Dictionary(
      entries.map { ("\($0.scope) \($0.hash)", $0.references) }, uniquingKeysWith: +)
  }

  private func key(_ file: BlobReference, in album: UUID) -> String {
    "album/\(album.uuidString) \(file.hash)"
  }

  private func photo(_ image: String?) -> Photo {
    Photo(id: UUID(), albumID: album, image: image)
  }

  @Test func `Rows are counted when they are inserted, changed, moved and deleted`() async throws {
    try await link()
    let other = UUID()
    let photos = [photo(first.text), photo(first.text), photo(nil)]
    try await store.write { writer in
      for id in [album, other] { try Album(id: id, title: "Vis").insert(writer) }
      for photo in photos { try photo.insert(writer) }
    }
    #expect(try await counts() == [key(first, in: album): 2])
    try await store.write { writer in
      try Photo.find(photos[0].id).update(writer) { [$0.image.set(second.text)] }
      try Photo.find(photos[1].id).update(writer) { [$0.albumID.set(other)] }
      try Photo.find(photos[2].id).update(writer) { [$0.image.set(second.text)] }
    }
    #expect(
      try await counts() == [
        key(first, in: album): 0, key(first, in: other): 1, key(second, in: album): 2,
      ])
    try await store.write { writer in
      try Photo.find(photos[0].id).update(writer) { [$0.image.set(nil)] }
      try Photo.find(photos[1].id).delete(writer)
      try Album.find(album).delete(writer)
    }
    #expect(try await counts().values.allSatisfy { $0 == 0 })
  }

  @Test func `A row that is replaced is counted once`() async throws {
    try await link()
    var photo = photo(first.text)
    try await store.write { [photo] writer in
      try Album(id: album, title: "Vis").insert(writer)
      try photo.insert(writer)
    }
    photo.image = second.text
    try await store.write { [photo] writer in
      try photo.save(writer)
      try SQL(
        "INSERT OR REPLACE INTO photos VALUES (\(photo.id), \(photo.albumID), \(photo.image))"
      ).run(writer)
    }
    #expect(try await counts() == [key(first, in: album): 0, key(second, in: album): 1])
  }

  @Test(
    arguments: [
      "", "https://example.org/photo.png", "blob:", "blob:\(String(repeating: "g", count: 64))",
      "blob:\(String(repeating: "A", count: 64))", "blob:\(String(repeating: "a", count: 63))",
      "blob:\(String(repeating: "a", count: 65))", "BLOB:\(String(repeating: "a", count: 64))",
    ])
  func `Another text refers to no file`(text: String) async throws {
    try await link()
    try await store.write { writer in
      try Album(id: album, title: "Vis").insert(writer)
      try photo(text).insert(writer)
    }
    #expect(try await counts() == [:])
    #expect(BlobReference(text) == nil)
  }

  @Test func `Rows from before the account are counted, and are this device's`() async throws {
    try await store.write { writer in
      try Album(id: album, title: "Vis").insert(writer)
      for file in [first, first, second] { try photo(file.text).insert(writer) }
    }
    try await link()
    #expect(try await counts() == [key(first, in: album): 2, key(second, in: album): 1])
    #expect(try await store.read { try FileEntry.all.all($0) }.allSatisfy(\.isOwn))
  }

  @Test func `A file whose row was deleted before it was sent is not needed a day later`()
    async throws
  {
    try await link()
    let photo = photo(first.text)
    try await store.write { writer in
      try Album(id: album, title: "Vis").insert(writer)
      try photo.insert(writer)
    }
    try await store.write { _ = try Photo.find(photo.id).delete($0) }
    let (early, late) = try await store.write { writer in
      try store.replica.sealAll(writer, at: 1, makeID: UUID.init)
      try FileQueue.noteUnused(at: 1, writer)
      let queue = FileQueue(reader: writer)
      return (try queue.unneeded(at: FileQueue.grace), try queue.unneeded(at: FileQueue.grace + 1))
    }
    #expect(early.isEmpty)
    #expect(late.map(\.hash) == [first.hash])
  }

  @Test(arguments: [0, 7] as [UInt64])
  func `Files of a scope that was never pulled are sent again to restored data`(epoch: UInt64)
    async throws
  {
    try await link()
    let scope = try ScopeID(kind: "album", value: album.uuidString)
    let stored = try await store.write { [photo = photo(first.text)] writer in
      try Album(id: album, title: "Vis").insert(writer)
      try photo.insert(writer)
      var cursor = ScopeCursor(scope)
      cursor.epoch = epoch
      try cursor.save(writer)
      try FileQueue.complete(.send(first.hash, scope), at: 1, writer)
      try FileQueue.sendAgainUnpulled(writer)
      return try FileEntry.all.all(writer).map(\.isStored)
    }
    #expect(stored == [epoch != 0])
  }

  @Test func `Rows that arrive are not this device's to send`() async throws {
    try await link()
    try await store.write { writer in
      try writer.applying {
        try Album(id: album, title: "Vis").insert(writer)
        try photo(first.text).insert(writer)
      }
      try photo(second.text).insert(writer)
    }
    let entries = try await store.read { try FileEntry.all.all($0) }
    #expect(entries.filter(\.isOwn).map(\.hash) == [second.hash.description])
    #expect(entries.allSatisfy { !$0.isWanted })
  }

  @Test func `Rows that arrive are fetched at once if the column says so`() async throws {
    let store = try SyncedStore.temporary(schema: Gallery.schema(.ahead))
    try await store.link(LinkedAccount(id: UUID(), name: "skipper"), token: "secret")
    try await store.write { writer in
      try writer.applying {
        try Album(id: album, title: "Vis").insert(writer)
        try photo(first.text).insert(writer)
      }
      try photo(second.text).insert(writer)
    }
    let entries = try await store.read { try FileEntry.all.all($0) }
    #expect(entries.filter(\.isWanted).map(\.hash) == [first.hash.description])
  }

  @Test func `A column that becomes one of files is counted at the next start`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("gallery.sqlite")
    let plain = StoreSchema(
      migrations: Gallery.schema.migrations,
      sync: try SyncSchema(
        version: 1, SyncTable(Album.self, scope: .kind("album", \.id)),
        SyncTable(Photo.self, scope: .kind("album", \.albumID)), claimableKinds: ["album"]))
    let former = try SyncedStore(path, schema: plain)
    try await former.link(LinkedAccount(id: UUID(), name: "skipper"), token: "secret")
    try await former.write { writer in
      try Album(id: album, title: "Vis").insert(writer)
      try photo(first.text).insert(writer)
    }
    await former.close()
    let present = try SyncedStore(path, schema: Gallery.schema)
    #expect(try await present.read { try FileEntry.all.all($0) }.map(\.references) == [1])
    await present.close()
    let again = try SyncedStore(path, schema: plain)
    #expect(try await again.read { try FileEntry.all.all($0) }.map(\.references) == [0])
  }
}
