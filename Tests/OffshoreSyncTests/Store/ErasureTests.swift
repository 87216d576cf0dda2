import Foundation
import Offshore
import OffshoreLogging
import OffshoreSync
import OffshoreWire
import Synchronization
import TestSupport
import Testing

/// The removal of everything of a user from a file.
@Suite(.timeLimit(.minutes(1)))
struct ErasureTests {
  private static let mark = "Kornati-7f3a"

  private let folder: TemporaryFolder
  private var path: String { folder.file("journey.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  /// Opens a file with rows, a captured change and settings, all marked.
  private func filled(_ account: LinkedAccount? = nil) async throws -> SyncedStore {
    let store = try SyncedStore(path, schema: Journey.schema)
    if let account { try await store.link(account, token: "token-\(Self.mark)") }
    try await store.write { writer in
      for number in 0..<200 {
        try Trip(id: UUID(), name: "\(Self.mark) \(number)").insert(writer)
      }
      try Trip.where { $0.name.hasSuffix("7") }.delete(writer)
    }
    try await store.set("theme", to: Self.mark)
    return store
  }

  /// Returns the names of the files that contain the mark.
  private func markedFiles() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { name in
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: folder.file(name), isDirectory: &isFolder),
        !isFolder.boolValue
      else { return false }
      return try Data(contentsOf: URL(filePath: folder.file(name)))
        .range(of: Data(Self.mark.utf8)) != nil
    }
  }

  private static let account = LinkedAccount(id: UUID(), name: "skipper-\(mark)")

  // MARK: - The content

  @Test func `After an erasure no file contains any byte of the user`() async throws {
    let store = try await filled(Self.account)
    for suffix in [".before-v2.backup", ".before-v3.backup.partial"] {
      try Data(Self.mark.utf8).write(to: URL(filePath: path + suffix))
    }
    #expect(try markedFiles().count >= 3)
    #expect(try await store.erase())
    #expect(try markedFiles() == [])
    #expect(try await store.read { try Trip.all.count($0) } == 0)
    #expect(try await store.setting("theme") == nil)
    #expect(try await store.status().first() == SyncedStore.Status())
    await store.close()
    #expect(try markedFiles() == [])
  }

  @Test func `An erasure removes the files of the user, and the next one can add the same file`()
    async throws
  {
    let store = try await filled(Self.account)
    let content = Array(Self.mark.utf8)
    let reference = try await store.files.add(content)
    #expect(try markedFiles().contains { $0.hasPrefix("journey.sqlite-files/") })
    #expect(try await store.erase())
    #expect(try markedFiles() == [])
    #expect(try await store.files.add(content) == reference)
    await store.close()
  }

  @Test func `Files that were set aside before a kill are removed by the next start`() async throws
  {
    let store = try await filled(Self.account)
    _ = try await store.files.add(Array(Self.mark.utf8))
    try await store.set("erasure", to: "requested")
    await store.close()
    try FileManager.default.moveItem(atPath: path + "-files", toPath: path + "-files.erased")
    let reopened = try SyncedStore(path, schema: Journey.schema)
    #expect(try markedFiles() == [])
    await reopened.close()
  }

  @Test func `After an erasure the file has a new user, no account, and the former language`()
    async throws
  {
    let store = try await filled(Self.account)
    try await store.set("language", to: "ru")
    try await store.erase()
    let user = try await store.read { try SyncedStore.userID($0) }
    #expect(user != Self.account.id)
    #expect(try await store.read { try SyncedStore.account($0) } == nil)
    #expect(try await store.setting("accountToken") == nil)
    #expect(try await store.setting("language") == "ru")
    await store.close()
    let reopened = try SyncedStore(path, schema: Journey.schema)
    #expect(try await reopened.read { try SyncedStore.userID($0) } == user)
  }

  @Test func `A file of another page size is erased`() async throws {
    let connection = try Connection(path, configuration: Self.smallPages)
    #expect(try connection.pageSize == 1_024)
    connection.close()
    let store = try await filled()
    try await store.erase()
    #expect(try markedFiles() == [])
    #expect(try await store.database.statistics().pageSize == 1_024)
  }

  private static let smallPages: DatabaseConfiguration = {
    var configuration = DatabaseConfiguration()
    configuration.prepareConnection = { try $0.execute("PRAGMA page_size = 1024") }
    return configuration
  }()

  @Test func `An observation receives the new content`() async throws {
    let store = try await filled()
    var counts = store.values { try Trip.all.count($0) }.makeAsyncIterator()
    #expect(try await counts.next() == 180)
    try await store.erase()
    while let count = try await counts.next(), count != 0 {}
    try await store.write { try Trip(id: UUID(), name: "Vis").insert($0) }
    while let count = try await counts.next(), count != 1 {}
  }

  // MARK: - Another account

  @Test func `After an erasure another account can have the file, with its own rights`()
    async throws
  {
    let schema = StoreSchema(
      migrations: Journey.migrations,
      sync: try SyncSchema(
        version: 1, SyncTable(Trip.self, scope: .kind("trip", \.id)),
        SyncTable(
          Waypoint.self, scope: .kind("trip", \.tripID), writers: .author(\.authorID)),
        claimableKinds: ["trip"]))
    let store = try SyncedStore(path, schema: schema)
    let (first, second) = (Self.account, LinkedAccount(id: UUID(), name: "mate"))
    try await store.link(first, token: "first")
    await #expect { try await store.link(second, token: "second") } throws: {
      ($0 as? ReplicaError)?.code == .otherAccount
    }
    try await store.erase()
    try await store.link(second, token: "second")
    let trip = Trip(id: UUID(), name: "Vis")
    @Sendable func waypoint(of author: LinkedAccount) -> Waypoint {
      Waypoint(id: UUID(), tripID: trip.id, name: "Komiža", authorID: author.id)
    }
    try await store.write { writer in
      try trip.insert(writer)
      try waypoint(of: second).insert(writer)
    }
    await #expect { try await store.write { try waypoint(of: first).insert($0) } } throws: {
      ($0 as? ReplicaError)?.code == .forbidden
    }
    #expect(try await store.status().first { $0.pendingCount == 2 } != nil)
  }

  @Test func `Writes between an erasure and the next account are not captured`() async throws {
    let log = Mutex<[String]>([])
    var environment = SyncedStore.Environment()
    environment.logger = AppLogger(
      .sync, to: LogSink { entry in log.withLock { $0.append("\(entry)") } })
    let store = try SyncedStore(path, schema: Journey.schema, environment: environment)
    try await store.link(Self.account, token: "secret")
    try await store.erase()
    try await store.write { try Trip(id: UUID(), name: "Vis").insert($0) }
    #expect(log.withLock(\.self) == [])
  }

  // MARK: - Interruptions

  @Test func `A requested erasure is completed when the file is opened again`() async throws {
    let store = try await filled(Self.account)
    try await store.set("erasure", to: "requested")
    await store.close()
    #expect(try !markedFiles().isEmpty)
    let reopened = try SyncedStore(path, schema: Journey.schema)
    #expect(try markedFiles() == [])
    #expect(try await reopened.read { try Trip.all.count($0) } == 0)
    #expect(try await reopened.setting("erasure") == nil)
  }

  @Test func `Only the remains are removed if the content was replaced before`() async throws {
    let store = try SyncedStore(path, schema: Journey.schema)
    try await store.write { try Trip(id: UUID(), name: "Vis").insert($0) }
    try await store.set("erasure", to: "replaced")
    await store.close()
    try Data(Self.mark.utf8).write(to: URL(filePath: path + ".before-v2.backup"))
    let reopened = try SyncedStore(path, schema: Journey.schema)
    #expect(try markedFiles() == [])
    #expect(try await reopened.read { try Trip.all.count($0) } == 1)
  }

  @Test func `The remains that a long read uses are removed when the file is opened again`()
    async throws
  {
    var configuration = DatabaseConfiguration()
    configuration.busyTimeout = .milliseconds(50)
    _ = try await filled().close()
    let store = try SyncedStore(path, schema: Journey.schema, configuration: configuration)
    let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let read = _Concurrency.Task {
      try await store.read { reader in
        let count = try Trip.all.count(reader)
        begun.signal()
        end.wait()
        return count
      }
    }
    await _Concurrency.Task.detached { begun.waitForSignal() }.value
    #expect(try await !store.erase())
    #expect(try await store.read { try Trip.all.count($0) } == 0)
    end.signal()
    #expect(try await read.value == 180)
    await store.close()
    let reopened = try SyncedStore(path, schema: Journey.schema)
    #expect(try markedFiles() == [])
    #expect(try await reopened.setting("erasure") == nil)
  }

  @Test func `An erasure that fails leaves the content, also for the next start`() async throws {
    let fails = Mutex(false)
    let schema = StoreSchema(
      migrations: [
        Migration("v1") { writer in
          if fails.withLock(\.self) { throw Refusal() }
          try writer.create(Trip.table)
        }
      ])
    let store = try SyncedStore(path, schema: schema)
    try await store.write { try Trip(id: UUID(), name: "Vis").insert($0) }
    fails.withLock { $0 = true }
    await #expect(throws: (any Error).self) { try await store.erase() }
    #expect(try await store.read { try Trip.all.count($0) } == 1)
    await store.close()
    let reopened = try SyncedStore(path, schema: schema)
    #expect(try await reopened.read { try Trip.all.count($0) } == 1)
  }

  private struct Refusal: Error {}

  // MARK: - Other connections

  @Test func `An erasure beside another connection removes what both have written`() async throws {
    let store = try await filled(Self.account)
    let other = try SyncedStore(path, schema: Journey.schema)
    try await other.write { try Trip(id: UUID(), name: Self.mark).insert($0) }
    #expect(try await other.read { try Trip.all.count($0) } == 181)
    #expect(try await store.erase())
    #expect(try markedFiles() == [])
    #expect(try await other.read { try Trip.all.count($0) } == 0)
    try await other.write { try Trip(id: UUID(), name: "Vis").insert($0) }
    #expect(try await store.read { try Trip.all.count($0) } == 1)
    for store in [store, other] { await store.close() }
    #expect(try markedFiles() == [])
  }

  @Test func `An erasure during a write of another connection is refused, and changes nothing`()
    async throws
  {
    _ = try await filled().close()
    var configuration = DatabaseConfiguration()
    configuration.busyTimeout = .milliseconds(50)
    let store = try SyncedStore(path, schema: Journey.schema, configuration: configuration)
    let other = try SyncedStore(path, schema: Journey.schema)
    let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let write = _Concurrency.Task {
      try await other.write { writer in
        try Trip(id: UUID(), name: Self.mark).insert(writer)
        begun.signal()
        end.wait()
      }
    }
    await _Concurrency.Task.detached { begun.waitForSignal() }.value
    do {
      try await store.erase()
      Issue.record("The other connection writes.")
    } catch let error as DatabaseError {
      #expect(error.code == .busy)
    }
    end.signal()
    try await write.value
    #expect(try await store.setting("erasure") == nil)
    for store in [store, other] { await store.close() }
    let reopened = try SyncedStore(path, schema: Journey.schema)
    #expect(try await reopened.read { try Trip.all.count($0) } == 181)
  }

  @Test func `An erasure that another process has completed meanwhile leaves the new content`()
    async throws
  {
    let isArmed = Mutex(false)
    let plain = StoreSchema(migrations: [Migration("v1") { try $0.create(Trip.table) }])
    let schema = StoreSchema(
      migrations: [
        Migration("v1") { [path] writer in
          let isErasing = isArmed.withLock { isArmed in
            defer { isArmed = false }
            return isArmed
          }
          if isErasing { try Self.eraseElsewhere(path, plain) }
          try writer.create(Trip.table)
        }
      ])
    let store = try SyncedStore(path, schema: schema)
    try await store.write { try Trip(id: UUID(), name: Self.mark).insert($0) }
    isArmed.withLock { $0 = true }
    #expect(try await store.erase())
    #expect(try await store.read { try Trip.all.all($0).map(\.name) } == ["Vis"])
    await store.close()
    #expect(try markedFiles() == [])
  }

  /// Completes a requested erasure as another process that opens the file, and adds a row of the next user.
  private static func eraseElsewhere(_ path: String, _ schema: StoreSchema) throws {
    let connection = try Connection(path)
    defer { connection.close() }
    try Erasure(
      schema: schema, configuration: DatabaseConfiguration(), environment: SyncedStore.Environment()
    ).resume(on: connection)
    try connection.write { try Trip(id: UUID(), name: "Vis").insert($0) }
  }
}

extension DispatchSemaphore {
  /// Waits on a thread that may block.
  fileprivate func waitForSignal() { wait() }
}
