import Foundation
import Offshore
import OffshoreWire
import Testing

@testable import OffshoreSync

/// Derivations of the rows that refer to a file, when the lane of files has a result.
struct FileDerivationTests {
  private static let schema = StoreSchema(
    migrations: [
      Migration("v1", .create(Album.table), .create(Photo.table)),
      Migration("v2") { try SQL("CREATE TABLE derived (id TEXT NOT NULL)").run($0) },
    ],
    sync: try SyncSchema(
      version: 1, SyncTable(Album.self, scope: .kind("album", \.id)),
      SyncTable(Photo.self, scope: .kind("album", \.albumID), .file(\.image, fetched: .onDemand)),
      claimableKinds: ["album"]),
    derivations: [
      "photos": { ids, writer in
        for id in ids { try SQL("INSERT INTO derived VALUES (\(id))").run(writer) }
      }
    ])

  private let store: SyncedStore
  private let file = BlobReference(ContentHash(of: [1, 2, 3]))
  /// Two photos of the file, in two albums.
  private let photos: [Photo]

  init() async throws {
    store = try .temporary(schema: Self.schema)
    try await store.link(LinkedAccount(id: UUID(), name: "skipper"), token: "secret")
    photos = [UUID(), UUID()].map { [file] in Photo(id: UUID(), albumID: $0, image: file.text) }
    try await store.write { [photos] writer in
      for photo in photos {
        try Album(id: photo.albumID, title: "Vis").insert(writer)
        try photo.insert(writer)
        // A photo of another file.
        try Photo(id: UUID(), albumID: photo.albumID, image: nil).insert(writer)
      }
    }
  }

  /// Returns the photos whose derivations a step runs.
  private func derived(
    by step: @escaping @Sendable (Replica, Writer) throws -> Void
  ) async throws -> Set<String> {
    try await store.write { [replica = store.replica] writer in
      try SQL("DELETE FROM derived").run(writer)
      try step(replica, writer)
    }
    return Set(try await store.read { try SQL("SELECT id FROM derived").all($0, as: String.self) })
  }

  private func job() throws -> FileQueue.Job {
    .send(file.hash, try ScopeID(kind: "album", value: photos[0].albumID.uuidString))
  }

  @Test func `They run for the rows of the scope in which the server has confirmed a file`()
    async throws
  {
    let job = try job()
    #expect(
      try await derived { try $0.complete(job, at: 1, $1) } == [photos[0].id.uuidString])
  }

  @Test func `They run at each refusal of a file, and when the server does not refuse it any more`()
    async throws
  {
    let (job, expected) = (try job(), Set([photos[0].id.uuidString]))
    func postpone(because problem: String?) async throws -> Set<String> {
      try await derived { try $0.postpone(job, until: 1, 1, because: problem, $1) }
    }
    #expect(try await postpone(because: nil) == [])
    // Each refusal changes the number of attempts.
    for _ in 1...2 { #expect(try await postpone(because: "tooLarge") == expected) }
    #expect(try await postpone(because: nil) == expected)
    #expect(try await postpone(because: nil) == [])
  }

  @Test func `They run for the rows of all scopes when a file has arrived`() async throws {
    let hash = file.hash
    #expect(
      try await derived { try $0.complete(.fetch(hash), at: 1, $1) }
        == Set(photos.map(\.id.uuidString)))
  }
}
