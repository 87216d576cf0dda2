import OffshoreServer
import OffshoreWire
import Testing

@testable import OffshoreSimulator

/// Tests of the simulated server's files, and of the model's record of them.
struct ServerFilesTests {
  private let content: [UInt8] = [1, 2, 3]
  private let owner = AccountID(Samples.device(1).uuid)
  private let viewer = AccountID(Samples.device(2).uuid)
  private let stranger = AccountID(Samples.device(3).uuid)
  private let photo = RowID(table: Photo.name, id: "f1")

  private var hash: ContentHash { ContentHash(of: content) }

  /// Returns a server with a board, its owner and its viewer.
  private func server() throws -> SimulatedServer {
    var server = try SimulatedServer(AppVersion(2, hasFiles: true), epoch: 1, pageBytes: 1_000)
    for (number, account) in [owner, viewer, stranger].enumerated() {
      try server.addAccount(account, named: "account-\(number)")
    }
    for (account, role) in [(owner, Role.owner), (viewer, .viewer)] {
      let violations = try server.grant(role, to: account, in: Samples.scope(), at: 1, nil)
      #expect(violations == [])
    }
    // A row that referred to it was accepted and deleted.
    server.files.accept([hash], in: try Samples.scope())
    return server
  }

  private func push(
    _ ops: [Op], number: Int64, at now: Int64, _ server: inout SimulatedServer
  ) throws {
    let batch = Batch(
      try Samples.scope(), number: number, id: Samples.device(UInt8(number)).uuid, ops: ops)
    let request = PushRequest(
      device: Samples.device(1), epoch: 1, manifestVersion: 2, batches: [batch])
    let violations = try server.push(request, of: owner, at: now, nil).violations
    #expect(violations == [])
  }

  private func insert(at now: Int64, _ server: inout SimulatedServer) throws {
    let board = Op(
      .put, RowID(table: "boards", id: "b1"),
      fields: ["title": "~1.1", "views": 0, "state": "draft"], stamp: Samples.stamp(1))
    let fields: [String: WireValue] = [
      "boardID": "b1", "title": "~1.2", "file": WireValue(BlobReference(hash).text),
    ]
    let row = Op(.put, photo, fields: fields, stamp: Samples.stamp(2))
    try push([board, row], number: 1, at: now, &server)
  }

  private func upload(
    by account: AccountID, at now: Int64, _ server: inout SimulatedServer
  ) throws -> Bool {
    let (isStored, violation) = server.upload(
      content, as: hash, to: try Samples.scope(), of: account, at: now)
    #expect(violation == nil)
    return isStored
  }

  @Test func `Only accounts that may write a board can send a file to it`() throws {
    var server = try server()
    var stored: [AccountID] = []
    for account in [viewer, stranger, owner] where try upload(by: account, at: 1, &server) {
      stored.append(account)
    }
    #expect(stored == [owner])
    #expect(try server.hasFile(hash, in: Samples.scope()))
  }

  @Test func `A file that is sent before its row is detected`() throws {
    var server = try server()
    let other: [UInt8] = [4]
    let (isStored, violation) = server.upload(
      other, as: ContentHash(of: other), to: try Samples.scope(), of: owner, at: 1)
    #expect(!isStored && violation?.invariant == .files)
  }

  @Test func `The members of a board fetch its files, and no others`() throws {
    var server = try server()
    _ = try upload(by: owner, at: 1, &server)
    let answers: [(AccountID, [UInt8]?)] = [
      (owner, content), (viewer, content), (stranger, nil),
    ]
    for (account, expected) in answers {
      let answer = try server.file(hash, for: account, nil)
      #expect(answer.content == expected && answer.violation == nil)
    }
    let open = try server.file(hash, for: stranger, .openFiles)
    #expect(open.violation?.invariant == .fileAccess)
  }

  @Test func `A file stays while a row refers to it, and is removed a week later`() throws {
    var server = try server()
    _ = try upload(by: owner, at: 1, &server)
    try insert(at: 2, &server)
    let later = 2 * server.fileLifetime
    let early = server.removeFiles(at: later, nil)
    #expect(early == [])
    #expect(try server.hasFile(hash, in: Samples.scope()))
    try push(
      [Op(.delete, photo, stamp: Samples.stamp(later))], number: 2, at: later, &server)
    let next = server.removeFiles(at: later + server.fileLifetime - 1, nil)
    #expect(next == [])
    #expect(try server.hasFile(hash, in: Samples.scope()))
    let last = server.removeFiles(at: later + server.fileLifetime, nil)
    #expect(last == [])
    #expect(server.files.contents.isEmpty)
  }

  @Test func `The removal of a file to which a row refers is detected`() throws {
    var server = try server()
    _ = try upload(by: owner, at: 1, &server)
    try insert(at: 2, &server)
    let found = server.removeFiles(at: 2 * server.fileLifetime, .sweptFiles)
    #expect(found.map(\.invariant) == [.files])
  }

  @Test func `A restore leaves contents without a scope, which are removed in time`() throws {
    var server = try server()
    server.keepCopy()
    _ = try upload(by: owner, at: 1, &server)
    try server.restore(0, epoch: 3, at: 5)
    try server.checkFiles()
    #expect(try !server.hasFile(hash, in: Samples.scope()))
    #expect(server.files.contents.keys.contains(hash))
    let violations = server.removeFiles(at: 5 + server.fileLifetime, nil)
    #expect(violations == [])
    #expect(server.files.contents.isEmpty)
  }
}
