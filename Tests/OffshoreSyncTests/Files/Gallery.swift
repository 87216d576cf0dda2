import Foundation
import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import TestSupport

/// An album, which is a scope.
struct Album: Record, Equatable, Identifiable {
  let id: UUID
  var title: String
  static let table = Table(
    "albums", Album.init, Column("id", \.id).primaryKey(), Column("title", \.title))
}

/// A photo of an album, and the reference to its image.
struct Photo: Record, Equatable, Identifiable {
  let id: UUID
  var albumID: UUID
  var image: String?
  static let table = Table(
    "photos", Photo.init, Column("id", \.id).primaryKey(),
    Column("albumID", \.albumID).references("albums", onDelete: .cascade),
    Column("image", \.image))
}

extension Photo {
  /// Inserts a photo of this device that the server has accepted already, so that its image is to be sent.
  func insertAccepted(_ writer: Writer) throws {
    try insert(writer)
    try SQL("UPDATE _file SET accepted = 1").run(writer)
  }
}

/// A picture of a charter, for tests with a harbour.
struct Picture: Record {
  let id: String
  var charterID: String
  var value: String?
  var image: String?
  static let table = Table(
    "pictures", Picture.init, Column("id", \.id).primaryKey(), Column("charterID", \.charterID),
    Column("value", \.value), Column("image", \.image))
  static let creation: SQL = """
    CREATE TABLE pictures (
      id TEXT PRIMARY KEY NOT NULL, charterID TEXT NOT NULL, value TEXT, image TEXT)
    """
}

/// An app with images, and a server for it.
enum Gallery {
  static let schema = schema(.onDemand)

  static func schema(_ policy: FilePolicy) -> StoreSchema {
    StoreSchema(
      migrations: [Migration("v1", .create(Album.table), .create(Photo.table))],
      sync: try SyncSchema(
        version: 1, SyncTable(Album.self, scope: .kind("album", \.id)),
        SyncTable(
          Photo.self, scope: .kind("album", \.albumID), .file(\.image, fetched: policy)),
        claimableKinds: ["album"]))
  }

  static func server(
    _ folder: TemporaryFolder, continuing former: LoopbackServer? = nil
  ) throws -> LoopbackServer {
    try LoopbackServer(
      schema.manifest, continuing: former, blobs: BlobStore(folder.file("server-blobs")))
  }

  /// Returns bytes that are different for each seed.
  static func image(_ seed: UInt8, count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) ^ seed }
  }
}

/// A device with photos that a driver syncs.
final class GalleryDevice: Sendable {
  let store: SyncedStore
  let driver: SyncDriver
  let account: SignedInAccount

  /// Opens a device, signed in to an account that exists or is created.
  init(
    _ name: String, _ path: String, of server: LoopbackServer, _ policy: FilePolicy = .onDemand,
    environment: SyncDriver.Environment = SyncDriver.Environment()
  ) async throws {
    let accounts = AccountClient(HTTPTransport(server.url))
    store = try SyncedStore(path, schema: Gallery.schema(policy))
    do throws(AccountClient.Failure) {
      account = try await accounts.signUp(name, "correct horse", as: UUID())
    } catch {
      account = try await accounts.signIn(name, "correct horse")
    }
    try await store.link(LinkedAccount(id: account.id, name: name), token: account.token)
    var timing = SyncEngine.Timing()
    (timing.firstDelay, timing.longestDelay) = (20, 40)
    driver = SyncDriver(
      store.database, store.replica, over: HTTPTransport(server.url), files: store.files,
      timing: timing, environment: environment)
    await driver.setToken(account.token)
    await driver.start()
  }

  /// Adds a photo with an image to an album, which is created if it does not exist.
  @discardableResult
  func add(_ image: [UInt8], to album: UUID) async throws -> BlobReference {
    let reference = try await store.files.add(image)
    try await store.write { writer in
      try Album(id: album, title: "Vis").insertIfAbsent(writer)
      try Photo(id: UUID(), albumID: album, image: reference.text).insert(writer)
    }
    return reference
  }

  /// Waits until a file has a status.
  func wait(for file: BlobReference, toBe expected: FileStatus) async throws {
    let values = store.values { [store] in try store.status(of: file, $0) }
    for try await status in values where status == expected { return }
  }

  /// Waits until a query has a number of rows.
  func waitForPhotos(_ count: Int) async throws {
    for try await found in store.values({ try Photo.all.count($0) }) where found == count { return }
  }

  func end() async {
    await driver.stop()
    await store.close()
  }
}
