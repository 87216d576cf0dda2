import Foundation
import Offshore
import OffshoreWire
import ServerSupport
import Synchronization
import TestSupport
import Testing

@testable import OffshoreServer
@testable import OffshoreSync

/// Files between devices, over a real server.
@Suite(.timeLimit(.minutes(2)))
struct FileLaneTests {
  private let folder: TemporaryFolder
  private let server: LoopbackServer
  private let album = UUID()

  init() throws {
    folder = try TemporaryFolder()
    server = try Gallery.server(folder)
  }

  private func device(
    _ name: String = "skipper", _ file: String = "first", _ policy: FilePolicy = .onDemand,
    of server: LoopbackServer? = nil, now: @escaping @Sendable () -> Int64 = Self.now
  ) async throws -> GalleryDevice {
    var environment = SyncDriver.Environment()
    environment.now = now
    // Longer pauses, such as until the next removal of files, are as short.
    environment.sleep = { try await _Concurrency.Task.sleep(for: min($0, .milliseconds(100))) }
    return try await GalleryDevice(
      name, folder.file("\(file).sqlite"), of: server ?? self.server, policy,
      environment: environment)
  }

  private static let now: @Sendable () -> Int64 = SyncDriver.Environment().now

  /// Returns the names of the files of a device.
  private func files(_ file: String) -> Set<String> {
    let path = folder.file("\(file).sqlite-files")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return Set(names).subtracting(["incoming"])
  }

  // MARK: - Sending and fetching

  @Test(arguments: [0, 1, 64 << 10, (64 << 10) + 1, 3_000_000])
  func `A file arrives at another device on demand`(count: Int) async throws {
    let content = Gallery.image(1, count: count)
    let first = try await device()
    let file = try await first.add(content, to: album)
    try await first.wait(for: file, toBe: .here)
    let second = try await device("skipper", "second")
    try await second.waitForPhotos(1)
    #expect(try await second.store.read { try second.store.status(of: file, $0) } == .elsewhere)
    #expect(try await second.store.fetch(file))
    try await second.wait(for: file, toBe: .here)
    let url = try #require(second.store.files.url(of: file))
    #expect(try Data(contentsOf: url) == Data(content))
    for device in [first, second] { await device.end() }
    await server.stop()
  }

  @Test func `A file arrives ahead if the column says so, before or after its row`() async throws {
    let first = try await device()
    let second = try await device("skipper", "second", .ahead)
    let file = try await first.add(Gallery.image(2, count: 500_000), to: album)
    try await second.wait(for: file, toBe: .here)
    for device in [first, second] { await device.end() }
    await server.stop()
  }

  @Test func `A file that no row refers to is not requested`() async throws {
    let first = try await device()
    let unknown = BlobReference(ContentHash(of: [7]))
    #expect(try await !first.store.fetch(unknown))
    #expect(try await first.store.read { try first.store.status(of: unknown, $0) } == .elsewhere)
    await first.end()
    await server.stop()
  }

  @Test func `A file that is added after its row is sent, too`() async throws {
    let first = try await device()
    let content = Gallery.image(12, count: 1_000)
    let file = BlobReference(ContentHash(of: content))
    try await first.store.write { writer in
      try Album(id: album, title: "Vis").insert(writer)
      try Photo(id: UUID(), albumID: album, image: file.text).insert(writer)
    }
    for try await attempts in first.store.values({ try FileEntry.all.all($0).map(\.attempts) })
    where attempts.contains(where: { $0 > 0 }) { break }
    #expect(try await first.store.files.add(content) == file)
    try await first.wait(for: file, toBe: .here)
    #expect(try await server.storage.read { try $0.blobs(file.hash) }.count == 1)
    await first.end()
    await server.stop()
  }

  @Test func `A file is sent to each scope whose rows refer to it`() async throws {
    let (first, other) = (try await device(), UUID())
    let content = Gallery.image(3, count: 1_000)
    let file = try await first.add(content, to: album)
    try await first.add(content, to: other)
    try await first.wait(for: file, toBe: .here)
    let scopes = try await server.storage.read { try $0.blobs(file.hash) }.map(\.scope.value)
    #expect(Set(scopes) == [album.uuidString, other.uuidString])
    await first.end()
    await server.stop()
  }

  @Test func `A part waits for the end of requests of rows that are under way`() async throws {
    let first = try await device()
    let sent = try await first.add([1], to: album)
    try await first.wait(for: sent, toBe: .here)
    await first.driver.stop()
    let file = try await first.store.files.add([2])
    try await first.store.write {
      try Photo(id: UUID(), albumID: album, image: file.text).insertAccepted($0)
    }
    let (rows, transport) = (Gate(), AcceptingTransport())
    let lane = FileLane(
      first.store.database, first.store.files, first.store.replica, over: transport,
      SyncDriver.Environment()
    ) {
      await rows.pass()
    }
    await lane.start(token: first.account.token)
    await rows.waitUntilHeld()
    #expect(transport.parts.withLock(\.self) == [])
    rows.open()
    try await first.wait(for: file, toBe: .here)
    #expect(transport.parts.withLock(\.self) == [[2]])
    await lane.stop()
    await first.end()
    await server.stop()
  }

  // MARK: - Interruptions

  @Test func `A file resumes after its device and the server were stopped in between`()
    async throws
  {
    let content = Gallery.image(4, count: 2_000_000)
    let first = try await device()
    server.gate.close()
    let file = try await first.add(content, to: album)
    await server.gate.waitUntilHeld()
    await first.end()
    server.gate.open()
    await server.stop()
    let restarted = try Gallery.server(folder, continuing: server)
    let again = try await device(of: restarted)
    try await again.wait(for: file, toBe: .here)
    #expect(try await restarted.storage.read { try $0.blobs(file.hash) }.count == 1)
    await again.end()
    await restarted.stop()
  }

  @Test func `Failures of the server postpone a file, and it arrives once they end`() async throws {
    let first = try await device()
    try await first.add([1], to: album)
    try await first.waitForPhotos(1)
    server.isFailing = true
    let file = try await first.add(Gallery.image(5, count: 200_000), to: album)
    #expect(try await first.store.read { try first.store.status(of: file, $0) } == .sending)
    server.isFailing = false
    try await first.wait(for: file, toBe: .here)
    await first.end()
    await server.stop()
  }

  @Test func `A restored server gets its files again`() async throws {
    let first = try await device()
    let file = try await first.add(Gallery.image(6, count: 100_000), to: album)
    try await first.wait(for: file, toBe: .here)
    await first.end()
    try await server.storage.write { transaction in
      for blob in try transaction.blobs(file.hash) {
        try transaction.removeBlob(file.hash, from: blob.scope)
      }
      try transaction.setEpoch(8)
    }
    let again = try await device()
    while try await server.storage.read({ try $0.blobs(file.hash) }).isEmpty {
      await again.driver.syncNow()
      await _Concurrency.Task.yield()
    }
    await again.end()
    await server.stop()
  }

  @Test func `A file is sent again if the server has deleted it before its row arrives`()
    async throws
  {
    let first = try await device()
    let sent = try await first.add([1], to: album)
    try await first.wait(for: sent, toBe: .here)
    await first.driver.stop()
    let file = try await first.add(Gallery.image(13, count: 1_000), to: album)
    let scope = try ScopeID(kind: "album", value: album.uuidString)
    let past = Self.now() - 8 * 86_400_000
    try await first.store.write {
      try FileQueue.complete(.send(file.hash, scope), at: past, $0)
    }
    await first.driver.start()
    while try await server.storage.read({ try $0.blobs(file.hash) }).isEmpty {
      await _Concurrency.Task.yield()
    }
    try await first.wait(for: file, toBe: .here)
    await first.end()
    await server.stop()
  }

  @Test func `A damaged download is discarded and fetched again`() async throws {
    let first = try await device()
    let content = Gallery.image(7, count: 300_000)
    let file = try await first.add(content, to: album)
    try await first.wait(for: file, toBe: .here)
    let second = try await device("skipper", "second")
    try await second.waitForPhotos(1)
    // A part that another program has written.
    try await second.store.files.append([9, 9, 9], at: 0, of: file.hash)
    try await second.store.fetch(file)
    try await second.wait(for: file, toBe: .here)
    let url = try #require(second.store.files.url(of: file))
    #expect(try Data(contentsOf: url) == Data(content))
    for device in [first, second] { await device.end() }
    await server.stop()
  }

  // MARK: - Refusals and access

  @Test func `A file that the server does not accept is refused with its reason`() async throws {
    var limits = BlobLimits()
    limits.bytesPerBlob = 1_000
    let strict = try LoopbackServer(
      Gallery.schema.manifest, blobs: BlobStore(folder.file("strict"), limits: limits))
    let first = try await device(of: strict)
    let large = try await first.add(Gallery.image(8, count: 1_001), to: album)
    try await first.wait(for: large, toBe: .refused(code: "tooLarge"))
    let small = try await first.add(Gallery.image(9, count: 1_000), to: album)
    try await first.wait(for: small, toBe: .here)
    await first.end()
    await strict.stop()
    await server.stop()
  }

  @Test func `The files of a scope go from the device when its access ends`() async throws {
    let (first, second) = (try await device(), try await device("mate", "second", .ahead))
    let file = try await first.add(Gallery.image(10, count: 10_000), to: album)
    try await first.wait(for: file, toBe: .here)
    let scope = try ScopeID(kind: "album", value: album.uuidString)
    let accounts = AccountClient(HTTPTransport(server.url))
    let invitation = try await accounts.invite(
      to: scope, as: .editor, token: first.account.token)
    _ = try await accounts.accept(invitation.code, token: second.account.token)
    try await second.wait(for: file, toBe: .here)
    #expect(files("second") == [file.hash.description])
    try await accounts.remove(second.account.id, from: scope, token: first.account.token)
    try await second.wait(for: file, toBe: .elsewhere)
    #expect(files("second") == [])
    for device in [first, second] { await device.end() }
    await server.stop()
  }

  // MARK: - Removal

  @Test func `A file whose row was never stored goes at a start a day later`() async throws {
    let first = try await device()
    let forgotten = try await first.store.files.add([1, 2, 3])
    await first.end()
    let again = try await device(now: { Self.now() + FileQueue.grace + 60_000 })
    while again.store.files.url(of: forgotten) != nil { await _Concurrency.Task.yield() }
    await again.end()
    await server.stop()
  }
}

/// A transport to a server that stores each file with its first part.
private final class AcceptingTransport: FileTransport {
  /// The parts that were sent.
  let parts = Mutex<[[UInt8]]>([])

  func send(
    _ part: [UInt8], at offset: Int, of length: Int, _ hash: ContentHash, to scope: ScopeID,
    token: String
  ) async throws(SyncEngine.Failure) -> SentPart {
    parts.withLock { $0.append(part) }
    return .stored
  }

  func fetch(
    _ range: Range<Int>, of hash: ContentHash, token: String
  ) async throws(SyncEngine.Failure) -> FetchedPart { .missing }
}
