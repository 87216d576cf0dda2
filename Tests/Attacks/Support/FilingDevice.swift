import Foundation
import Offshore
import OffshoreSync
import OffshoreWire
import TestSupport

/// A cabinet, which is its own scope.
struct Cabinet: Record, Identifiable {
  let id: UUID

  static let table = Table("cabinets", Cabinet.init, Column("id", \.id).primaryKey())
}

/// A sheet of a cabinet, which may refer to a file.
struct Sheet: Record, Identifiable {
  let id: UUID
  let cabinetID: UUID
  var scan: String?

  static let table = Table(
    "sheets", Sheet.init, Column("id", \.id).primaryKey(),
    Column("cabinetID", \.cabinetID).references("cabinets", onDelete: .cascade),
    Column("scan", \.scan))
}

/// A device with a cabinet of sheets and files, which syncs over a link.
final class FilingDevice: Sendable {
  let store: SyncedStore
  private let driver: SyncDriver
  private let folder: FaultFolder

  static let schema = StoreSchema(
    migrations: [Migration("v1", .create(Cabinet.table), .create(Sheet.table))],
    sync: try SyncSchema(
      version: 1, SyncTable(Cabinet.self, scope: .kind("cabinet", \.id)),
      SyncTable(Sheet.self, scope: .kind("cabinet", \.cabinetID), .file(\.scan)),
      claimableKinds: ["cabinet"]))

  /// Opens a device that is signed in, and starts to sync.
  init(_ url: URL, of person: AttackedServer.Person) async throws {
    guard let account = UUID(uuidString: person.account) else {
      throw Unanswered(description: "“\(person.account)” is not the id of an account.")
    }
    folder = try FaultFolder()
    store = try SyncedStore(folder.file("device.sqlite"), schema: Self.schema)
    try await store.link(LinkedAccount(id: account, name: "ida"), token: person.token)
    driver = SyncDriver(
      store.database, store.replica, over: HTTPTransport(url), files: store.files)
    await driver.setToken(person.token)
    await driver.start()
  }

  /// Adds a sheet to a cabinet, which is created if it does not exist.
  func add(_ sheet: Sheet) async throws {
    try await store.write { writer in
      try Cabinet(id: sheet.cabinetID).insertIfAbsent(writer)
      try sheet.insert(writer)
    }
  }

  /// Waits until a sheet is here.
  func wait(for sheet: UUID) async throws {
    let values = store.values { try Sheet.find(sheet).exists($0) }
    for try await isHere in values where isHere { return }
  }

  /// Waits until a file has a status.
  func wait(for file: BlobReference, toBe expected: FileStatus) async throws {
    let values = store.values { [store] in try store.status(of: file, $0) }
    for try await status in values where status == expected { return }
  }

  func status(of file: BlobReference) async throws -> FileStatus {
    try await store.read { [store] in try store.status(of: file, $0) }
  }

  func end() async {
    await driver.stop()
    await store.close()
  }
}
