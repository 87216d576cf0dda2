import Foundation
import Offshore
import OffshoreSync
import OffshoreWire
import TestSupport

/// An album, which is a scope.
struct Album: Record, Identifiable {
  let id: UUID

  static let table = Table("albums", Album.init, Column("id", \.id).primaryKey())
}

/// A numbered photo of an album, and the reference to its file.
struct Photo: Record, Identifiable {
  /// The number.
  let id: String
  let albumID: UUID
  let image: String

  static let table = Table(
    "photos", Photo.init, Column("id", \.id).primaryKey(),
    Column("albumID", \.albumID).references("albums", onDelete: .cascade),
    Column("image", \.image))
}

/// A device that sends numbered files of an album, or fetches those of another device.
///
/// It continues where a killed process has stopped. It prints `done` when all files are here and on
/// the server, and runs until the end of its input.
struct FileDevice {
  let path: String
  let server: URL
  let account: UUID
  let token: String
  let album: UUID
  let count: Int
  let byteCount: Int

  /// - Parameter arguments: the file, the address of the server, the account, its token, the album, the
  ///   number of files, and the number of bytes of each.
  init?(_ arguments: ArraySlice<String>) {
    let arguments = Array(arguments)
    guard arguments.count == 7, let server = URL(string: arguments[1]),
      let account = UUID(uuidString: arguments[2]), let album = UUID(uuidString: arguments[4]),
      let count = Int(arguments[5]), let byteCount = Int(arguments[6])
    else { return nil }
    (path, self.server, self.account, token) = (arguments[0], server, account, arguments[3])
    (self.album, self.count, self.byteCount) = (album, count, byteCount)
  }

  static func schema(_ policy: FilePolicy) -> StoreSchema {
    StoreSchema(
      migrations: [Migration("v1", .create(Album.table), .create(Photo.table))],
      sync: try SyncSchema(
        version: 1, SyncTable(Album.self, scope: .kind("album", \.id)),
        SyncTable(
          Photo.self, scope: .kind("album", \.albumID), .file(\.image, fetched: policy)),
        claimableKinds: ["album"]))
  }

  /// Sends the files, or fetches them.
  func run(isSending: Bool) async throws {
    let store = try SyncedStore(path, schema: Self.schema(isSending ? .onDemand : .ahead))
    try await store.link(LinkedAccount(id: account, name: "ida"), token: token)
    if isSending { try await fill(store) }
    var timing = SyncEngine.Timing()
    (timing.firstDelay, timing.longestDelay) = (20, 200)
    let driver = SyncDriver(
      store.database, store.replica, over: HTTPTransport(server), files: store.files,
      timing: timing)
    await driver.setToken(token)
    await driver.start()
    let isDone = store.values { [store, count] reader in
      let photos = try Photo.all.all(reader)
      return try photos.count == count
        && photos.allSatisfy { photo in
          guard let file = BlobReference(photo.image) else { return false }
          return try store.status(of: file, reader) == .here
        }
    }
    for try await isDone in isDone where isDone { break }
    FileHandle.standardOutput.write(Data("done\n".utf8))
    while readLine() != nil {}
  }

  private func fill(_ store: SyncedStore) async throws {
    try await store.write { _ = try Album(id: album).insertIfAbsent($0) }
    for number in 0..<count
    where try await store.read({ try !Photo.find("\(number)").exists($0) }) {
      let file = try await store.files.add(Self.content(number, byteCount))
      try await store.write {
        try Photo(id: "\(number)", albumID: album, image: file.text).insert($0)
      }
    }
  }

  /// Returns the content of a file, which is different for each number.
  private static func content(_ number: Int, _ byteCount: Int) -> [UInt8] {
    var random = SeededRandom(seed: UInt64(number) + 1)
    let block = (0..<(64 << 10)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    var content: [UInt8] = []
    content.reserveCapacity(byteCount + block.count)
    while content.count < byteCount {
      content += withUnsafeBytes(of: content.count) { Array($0) }
      content += block
    }
    return Array(content.prefix(byteCount))
  }
}
