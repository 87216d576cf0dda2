import Foundation
import Offshore
import OffshoreServer
import OffshoreWire
import ServerSupport
import TestSupport
import Testing

@testable import OffshoreSync

/// Commands by which an account leaves a scope to which it still has to send files.
@Suite(.timeLimit(.minutes(1)))
struct HeldCommandTests {
  private let harbour: Harbour
  private let scope: ScopeID
  private let first = BlobReference(ContentHash(of: [1]))
  private let second = BlobReference(ContentHash(of: [2]))
  private var ship: Ship { harbour.ships[0] }

  init() throws {
    scope = try ScopeID("charter/c1")
    harbour = try Harbour(
      schema: SyncSchema(
        version: 1,
        SyncTable(Picture.self, scope: .kind("charter", \.charterID), .file(\.image))),
      creating: [Picture.creation])
    try harbour.grant(.owner, to: harbour.ships[1], "c1")
    try harbour.settle()
    try insert("p", first)
  }

  private func insert(_ id: String, _ file: BlobReference) throws {
    try ship.run("INSERT INTO pictures VALUES (\(id), 'c1', 'v', \(file.text))")
  }

  private func leave(_ role: Role) throws {
    try ship.device.connection.write {
      try ship.replica.perform(
        MemberCommand(role, of: ship.account.uuid), in: scope, by: ship.account.uuid, $0,
        at: harbour.now, makeID: ship.device.nextID)
    }
  }

  private var granted: Role? { harbour.server.grant(of: ship.account, in: scope)?.role }

  private func next() throws -> FileQueue.Job? {
    try ship.device.connection.read { try FileQueue(reader: $0).next(at: harbour.now) }
  }

  private func complete(_ job: FileQueue.Job) throws {
    try ship.device.connection.write { try FileQueue.complete(job, at: harbour.now, $0) }
  }

  @Test(arguments: [Role.left, .revoked], [false, true])
  func `An account leaves after its files are sent`(_ role: Role, isAccepted: Bool) throws {
    if isAccepted { try harbour.settle() }
    try insert("q", second)
    try leave(role)
    try harbour.settle()
    #expect(granted == .editor)
    #expect(try ship.device.connection.read { try ship.replica.role(in: scope, $0) } == role)
    let jobs = [first, second].map { FileQueue.Job.send($0.hash, scope) }
    for _ in jobs {
      let job = try #require(try next())
      #expect(jobs.contains(job) && granted == .editor)
      try complete(job)
      try harbour.settle()
    }
    #expect(granted == role)
    #expect(try next() == nil)
  }

  @Test func `A file that cannot be sent holds up no command`() throws {
    try leave(.left)
    try harbour.settle()
    let job = try #require(try next())
    try ship.device.connection.write {
      try FileQueue.postpone(job, until: harbour.now + 600_000, 1, because: "tooLarge", $0)
    }
    try harbour.settle()
    #expect(granted == .left)
  }

  @Test func `The file of a refused row holds up no command`() throws {
    try harbour.settle()
    try complete(try #require(try next()))
    try harbour.grant(.viewer, to: ship, "c1")
    try insert("q", second)
    try leave(.left)
    try harbour.settle()
    #expect(granted == .left)
  }

  @Test func `A command waits for a day at the most`() throws {
    try leave(.left)
    try harbour.settle()
    harbour.now += HeldCommands.longestTime - 10_000
    try harbour.settle()
    #expect(granted == .editor)
    harbour.now += 10_000
    try harbour.settle()
    #expect(granted == .left)
  }

  @Test func `A command that waits can be cancelled, and the rows return`() throws {
    try leave(.revoked)
    try harbour.settle()
    #expect(try ship.device.number("SELECT count(*) FROM pictures") == 0)
    #expect(
      try ship.device.connection.write {
        try ship.replica.cancelCommand($0, at: harbour.now, makeID: ship.device.nextID)
      })
    #expect(try ship.device.number("SELECT count(*) FROM pictures") == 1)
    #expect(try ship.device.number("SELECT sum(former) FROM _file") == 0)
    try complete(try #require(try next()))
    try harbour.settle()
    #expect(granted == .editor)
  }

  @Test(arguments: [false, true])
  func `Another member has the photo of an account that left while it was being sent`(
    retainingCopy: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let server = try Gallery.server(folder)
    let (album, image) = (UUID(), Gallery.image(1, count: 200_000))
    let scope = try ScopeID(kind: "album", value: album.uuidString)
    let anna = try await GalleryDevice("anna", folder.file("anna"), of: server, .ahead)
    let ben = try await GalleryDevice("ben", folder.file("ben"), of: server)
    try await anna.add(Gallery.image(0, count: 10), to: album)
    try await anna.driver.drain()
    _ = try await server.storage.write { log in
      try log.grant(.editor, to: AccountID(ben.account.id), in: scope)
    }
    await ben.driver.syncNow()
    try await ben.waitForPhotos(1)
    await ben.driver.stop()
    let file = try await ben.add(image, to: album)
    try await ben.store.leave(scope, retainingCopy: retainingCopy)
    #expect(try await ben.store.status().first()?.pendingCount == 2)
    await ben.driver.start()
    try await anna.wait(for: file, toBe: .here)
    for try await status in ben.store.status() where status.unsentCount == 0 { break }
    let role = try await server.storage.read {
      try $0.grant(of: AccountID(ben.account.id), in: scope)
    }
    #expect(role?.role == (retainingCopy ? .left : .revoked))
    await anna.end()
    await ben.end()
    await server.stop()
  }
}
