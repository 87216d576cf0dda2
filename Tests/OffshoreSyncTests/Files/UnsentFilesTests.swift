import Foundation
import Offshore
import OffshoreWire
import Testing

@testable import OffshoreSync

/// Files that are to be sent, among the pending changes.
@Suite(.timeLimit(.minutes(1)))
struct UnsentFilesTests {
  private let store: SyncedStore
  private let album = Album(id: UUID(), title: "Vis")
  private let photos: [Photo]
  private let files = (1...2).map { BlobReference(ContentHash(of: [$0])) }

  /// A file of an account whose photos, one of each file, the server has accepted.
  init() async throws {
    store = try .temporary(schema: Gallery.schema)
    try await store.link(LinkedAccount(id: UUID(), name: "skipper"), token: "secret")
    photos = files.map { [album] in Photo(id: UUID(), albumID: album.id, image: $0.text) }
    try await store.write { [album, photos] writer in
      try album.insert(writer)
      for photo in photos { try photo.insertAccepted(writer) }
      try SQL("DELETE FROM _outbox").run(writer)
    }
  }

  private var scope: ScopeID {
    get throws { try ScopeID(kind: "album", value: album.id.uuidString) }
  }

  private func job(_ number: Int) throws -> FileQueue.Job { .send(files[number].hash, try scope) }

  private func pending() async throws -> [PendingChange] {
    try #require(try await store.changes.pending().first()).listed
  }

  private func status() async throws -> SyncedStore.Status {
    try #require(try await store.status().first())
  }

  @Test func `A row counts until its file is sent, once if the row has pending changes`()
    async throws
  {
    let before = try await status()
    #expect(before.unsentFileCount == 2 && before.pendingCount == 0 && before.unsentCount == 2)
    let changes = try await pending()
    #expect(changes.map(\.action) == [.sendsFile, .sendsFile])
    #expect(changes.allSatisfy { $0.isBeingSent && $0.refusal == nil })
    #expect(try await !store.changes.cancel(changes[0].id))
    let image = files[1].text
    try await store.update(Photo.find(photos[0].id)) { [$0.image.set(image)] }
    let changed = try await status()
    #expect(changed.unsentFileCount == 1 && changed.unsentCount == 2)
    let job = try job(1)
    try await store.write { try FileQueue.complete(job, at: 1, $0) }
    let after = try await status()
    #expect(after.unsentFileCount == 0 && after.pendingCount == 1)
  }

  @Test func `A file that waits for its row does not count beside it`() async throws {
    try await store.write { try SQL("UPDATE _file SET accepted = 0").run($0) }
    #expect(try await status() == SyncedStore.Status())
  }

  @Test func `A refused file has its reason, and is sent again on request`() async throws {
    let (job, next) = (try job(0), Int64(4_102_444_800_000))
    try await store.write { [replica = store.replica] writer in
      try replica.postpone(job, until: next, 3, because: "tooLarge", writer)
    }
    let change = try #require(try await pending().first { !$0.isBeingSent })
    #expect(
      change.refusal
        == PendingChange.Refusal(
          attempts: 3, reason: .tooLarge, nextTry: Date(milliseconds: next)))
    #expect(try await store.read { try FileQueue(reader: $0).next(at: 1) } == nil)
    try await store.changes.sendAgain(change.id)
    #expect(try await pending().allSatisfy { $0.isBeingSent && $0.refusal == nil })
  }

  @Test func `Retrying a row retries its file`() async throws {
    let (job, next) = (try job(0), Int64(4_102_444_800_000))
    let query = Photo.find(photos[0].id)
    #expect(try await !store.changes.retry(query))
    try await store.write { [replica = store.replica] writer in
      try replica.postpone(job, until: next, 3, because: "tooLarge", writer)
    }
    #expect(try await store.changes.retry(query))
    let file = files[0]
    let entry = try await store.read {
      try FileEntry.where { $0.hash == file.hash.description }.first($0)
    }
    #expect(entry?.problem == nil && entry?.attempts == 0 && entry?.due == 0)
  }

  @Test(arguments: [Role.viewer, .left, .revoked])
  func `A file of a scope that the account may not write any more is not unsent`(_ role: Role)
    async throws
  {
    let (scope, ids, file) = (try scope, Set(photos.map(\.id.uuidString)), files[0])
    let store = store
    _ = try await store.files.add([1])
    let isUnsent = {
      try await store.read { reader in
        (
          try store.sendingStates(of: ids, in: "photos", reader).isEmpty,
          try store.status(of: file, reader)
        )
      }
    }
    #expect(try await isUnsent() == (false, .sending))
    try await store.write { writer in
      var cursor = ScopeCursor(scope)
      cursor.role = role
      try cursor.save(writer)
    }
    #expect(try await isUnsent() == (true, .here))
    #expect(try await status().unsentCount == 0)
    #expect(try await pending().isEmpty)
  }

  @Test func `The rows of unsent files are found by an index`() async throws {
    let query = FileTriggers(table: try #require(store.replica.schema["photos"]))
      .unsentFiles(of: "image", where: "TRUE")
    let plan = try await store.read { reader in
      try SQL("EXPLAIN QUERY PLAN \(query)")
        .all(reader, as: Int.self, Int.self, Int.self, String.self).map { _, _, _, detail in detail
        }
    }
    #expect(plan.contains { $0.hasPrefix("SEARCH t USING INDEX _capture_photos_image-files") })
    #expect(plan.contains { $0.contains("_file_sent") })
  }

  @Test func `Other reasons have the names of the server`() {
    let reasons = ["forbidden", "notFound", "quotaExceeded", "odd"]
      .map { RefusedChange.Reason(fileProblem: $0) }
    #expect(reasons == [.forbidden, .forbidden, .limitReached, .other("odd")])
  }

  @Test func `The attempts for a file are limited as those for a row`() {
    let codes = ["tooLarge", "quotaExceeded", "wrongHash"].map(Rejection.Code.init(fileProblem:))
    #expect(codes == [.tooLarge, .limitReached, .invalidValue])
  }
}
