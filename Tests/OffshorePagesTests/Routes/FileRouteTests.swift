import Foundation
import Offshore
import OffshoreHTTP
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import OffshoreWire
import TestSupport
import Testing

@testable import OffshorePages

/// The files of rows at their addresses.
@MainActor struct FileRouteTests {
  /// A picture of a person.
  struct Picture: Record, Identifiable {
    let id: UUID
    var ownerID: UUID
    var image: String?
    static let table = Table(
      "pictures", Picture.init, Column("id", \.id).primaryKey(), Column("ownerID", \.ownerID),
      Column("image", \.image))
  }

  private static let schema = StoreSchema(
    migrations: [Migration("v1", .create(Picture.table))],
    sync: try SyncSchema(
      version: 1,
      SyncTable(
        Picture.self, scope: .kind("person", \.ownerID), .file(\.image, fetched: .onDemand)),
      personalKinds: ["person"]))

  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3, 4]

  private let store: SyncedStore
  private let router: Router
  private let owner = UUID()

  init() async throws {
    store = try .temporary(schema: Self.schema)
    let frame = AppFrame(
      LocalizedText(verbatim: "Pictures"), parts: [.profile], store: store,
      sync: try await store.sync(with: nil, sleep: waitUntilCancelled),
      language: try await .start(
        storedBy: store, languages: [.english], preferring: .english,
        calendar: { .autoupdatingCurrent }),
      tabs: TabRegistry())
    var router = Router()
    router.addFiles(of: frame)
    self.router = router
  }

  private func add(_ content: [UInt8]) async throws -> BlobReference {
    let reference = try await store.files.add(content)
    try await store.write { [owner] in
      try Picture(id: UUID(), ownerID: owner, image: reference.text).insert($0)
    }
    return reference
  }

  private func get(_ path: String, headers: Headers = [:]) async -> Response {
    await router.respond(to: Request(.get, path, headers: headers))
  }

  private func link() async throws {
    try await store.link(LinkedAccount(id: owner, name: "anna"), token: nil)
  }

  @Test(arguments: [false, true])
  func `An image of a row is shown, with and without an account`(isLinked: Bool) async throws {
    if isLinked { try await link() }
    let file = try await add(Self.png)
    let response = await get(file.address)
    #expect(response.status == .ok && response.bytes == Self.png)
    #expect(response.headers["Content-Type"] == "image/png")
    #expect(response.headers["Content-Disposition"] == nil)
    #expect(response.headers["Cache-Control"] == "private, max-age=31536000, immutable")
    guard case .file = response.body else {
      Issue.record("It is in memory.")
      return
    }
    let tag = try #require(response.headers["ETag"])
    let known = await get(file.address, headers: ["If-None-Match": tag])
    #expect(known.status == .notModified && known.bytes == [])
  }

  @Test func `Other content is not shown by a browser`() async throws {
    let file = try await add(Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8))
    let response = await get(file.address)
    #expect(response.headers["Content-Type"] == "application/octet-stream")
    #expect(response.headers["Content-Disposition"] == "attachment")
    #expect(response.headers["X-Content-Type-Options"] == "nosniff")
  }

  @Test(arguments: [false, true])
  func `A file without a row is not sent`(isLinked: Bool) async throws {
    if isLinked { try await link() }
    let file = try await add(Self.png)
    #expect(await get(file.address).status == .ok)
    try await store.write { try SQL("DELETE FROM pictures").run($0) }
    #expect(await get(file.address).status == .notFound)
    let other = try await store.files.add([1])
    #expect(await get(other.address).status == .notFound)
  }

  @Test func `A file that is not on this device, and a name that is not a hash, are not found`()
    async throws
  {
    let missing = BlobReference(ContentHash(of: [7]))
    try await store.write { [owner] in
      try Picture(id: UUID(), ownerID: owner, image: missing.text).insert($0)
    }
    for path in [missing.address, "/files/x", "/files/\(UUID())"] {
      #expect(await get(path).status == .notFound)
    }
  }
}
