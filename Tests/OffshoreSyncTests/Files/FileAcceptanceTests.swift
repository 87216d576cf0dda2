import Offshore
import OffshoreServer
import OffshoreWire
import Testing

@testable import OffshoreSync

/// Files wait until the server has accepted a row that refers to them.
struct FileAcceptanceTests {
  private let harbour: Harbour
  private let first = BlobReference(ContentHash(of: [1]))
  private let second = BlobReference(ContentHash(of: [2]))
  private var ship: Ship { harbour.ships[0] }

  init() throws {
    let schema = try SyncSchema(
      version: 1,
      SyncTable(
        Picture.self, scope: .kind("charter", \.charterID), keepsRefused: true, .file(\.image)))
    harbour = try Harbour(
      granting: ["c1", "c2", "c3"], schema: schema, creating: [Picture.creation])
    try harbour.settle()
  }

  private func insert(_ file: BlobReference, into charter: String = "c1") throws {
    try ship.run("INSERT INTO pictures VALUES ('p', \(charter), 'v', \(file.text))")
  }

  /// Returns the files that the device sends now, each as `<charter> <number of the file>`.
  private func sent(by ship: Ship) throws -> [String] {
    var jobs: [String] = []
    try ship.device.connection.write { writer in
      while let job = try FileQueue(reader: writer).next(at: harbour.now) {
        guard case .send(let hash, let scope) = job else { break }
        jobs.append("\(scope.value) \(hash == first.hash ? 1 : 2)")
        try FileQueue.complete(job, at: harbour.now, writer)
      }
    }
    return jobs.sorted()
  }

  private func sent() throws -> [String] { try sent(by: ship) }

  @Test(arguments: [false, true])
  func `A file is sent after its row, whether an answer or a pull tells that it was accepted`(
    isAnswerLost: Bool
  ) throws {
    try insert(first)
    let request = try #require(try ship.nextPush())
    #expect(try sent() == [])
    let response = try harbour.answer(request, of: ship.account)
    if isAnswerLost {
      try ship.pullAll()
    } else {
      _ = try ship.take(response, to: request)
    }
    #expect(try sent() == ["c1 1"])
  }

  @Test func `A file of a refused row is sent after the row is accepted`() throws {
    try harbour.grant(.viewer, to: ship, "c1")
    try insert(first)
    #expect(try ship.push()?.rejected == 1)
    try harbour.grant(.editor, to: ship, "c1")
    try ship.pullAll()
    #expect(try ship.dead() == ["pictures/p forbidden"])
    #expect(try sent() == [])
    let row = RowID(table: "pictures", id: "p")
    #expect(try ship.device.connection.write { try ship.replica.retry([row], $0) })
    #expect(try sent() == [])
    #expect(try ship.push()?.applied == 1)
    #expect(try sent() == ["c1 1"])
  }

  @Test(arguments: [false, true])
  func `The file of a cancelled row is never sent`(isSealed: Bool) throws {
    try insert(first)
    if isSealed { try ship.pullAll() }
    #expect(try sent() == [])
    #expect(
      try ship.device.connection.write {
        try ship.replica.withdraw(
          [RowID(table: "pictures", id: "p")], $0, at: harbour.now, makeID: ship.device.nextID)
      })
    try harbour.settle()
    #expect(try sent() == [])
  }

  @Test func `A file that replaces another one waits for the edit`() throws {
    try insert(first)
    try ship.push()
    try ship.run("UPDATE pictures SET image = \(second.text)")
    #expect(try sent() == [])
    #expect(try ship.push()?.applied == 1)
    #expect(try sent() == ["c1 2"])
  }

  @Test func `A file of a row that is moved waits for the move, and a later one for its edit`()
    throws
  {
    try insert(first)
    try ship.push()
    #expect(try sent() == ["c1 1"])
    try ship.run("UPDATE pictures SET charterID = 'c2'")
    let request = try #require(try ship.nextPush())
    try ship.run("UPDATE pictures SET image = \(second.text)")
    #expect(try sent() == [])
    _ = try ship.take(try harbour.answer(request, of: ship.account), to: request)
    #expect(try sent() == [])
    try ship.run("UPDATE pictures SET image = \(first.text)")
    try harbour.settle()
    #expect(try sent() == ["c2 1"])
  }

  @Test func `A row that another device has moved is accepted`() throws {
    try insert(first)
    try harbour.settle()
    #expect(try sent() == ["c1 1"])
    try harbour.ships[1].run("UPDATE pictures SET charterID = 'c2'")
    try harbour.settle()
    #expect(try sent() == ["c2 1"])
  }

  @Test func `A file that is added together with a move is accepted in the new scope`() throws {
    try insert(first)
    try ship.push()
    #expect(try sent() == ["c1 1"])
    try ship.run("UPDATE pictures SET charterID = 'c2', image = \(second.text)")
    #expect(try ship.push()?.applied == 1)
    #expect(try sent() == ["c2 2"])
  }

  @Test func `A file of a row that is moved again before the answer is accepted at last`() throws {
    try insert(first)
    try harbour.settle()
    try ship.run("UPDATE pictures SET charterID = 'c2'")
    let request = try #require(try ship.nextPush())
    try ship.run("UPDATE pictures SET charterID = 'c3'")
    _ = try ship.take(try harbour.answer(request, of: ship.account), to: request)
    #expect(try sent() == [])
    try harbour.settle()
    #expect(try sent() == ["c3 1"])
  }

  @Test func `A file that arrived in a row with a pending change is accepted after a move`() throws
  {
    try harbour.ships[1].run("INSERT INTO pictures VALUES ('p', 'c1', 'v', NULL)")
    try harbour.settle()
    try ship.run("UPDATE pictures SET value = 'w'")
    _ = try ship.nextPush()
    try harbour.ships[1].run("UPDATE pictures SET image = \(first.text)")
    try harbour.ships[1].push()
    try ship.pullAll()
    try ship.run("UPDATE pictures SET charterID = 'c2'")
    #expect(try sent() == [])
    try harbour.settle()
    #expect(try sent() == ["c2 1"])
  }

  @Test func `A pending row that is hidden for a while is not accepted by that`() throws {
    try insert(first)
    try ship.device.connection.write { writer in
      let scope = try ScopeID(kind: "charter", value: "c1")
      try ship.replica.perform(
        MemberCommand(.revoked, of: ship.account.uuid), in: scope, by: ship.account.uuid, writer,
        at: harbour.now, makeID: ship.device.nextID)
      #expect(try SQL("SELECT count(*) FROM pictures").first(writer, as: Int.self) == 0)
      #expect(
        try ship.replica.cancelCommand(writer, at: harbour.now, makeID: ship.device.nextID))
    }
    #expect(try ship.device.number("SELECT count(*) FROM pictures") == 1)
    #expect(try sent() == [])
    #expect(try ship.push()?.applied == 1)
    #expect(try sent() == ["c1 1"])
  }

  @Test func `In a file of a former version, the rows that the server has are accepted`() throws {
    try insert(first)
    try harbour.settle()
    try ship.run("INSERT INTO pictures VALUES ('q', 'c1', 'v', \(second.text))")
    let triggers = try ship.device.connection.read { reader in
      try SQL("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND sql LIKE '%accepted%'")
        .all(reader, as: String.self)
    }
    for name in triggers { try ship.run("DROP TRIGGER \(identifier: name)") }
    try ship.run(
      "DROP INDEX _file_sent", "DROP INDEX _file_awaiting",
      "ALTER TABLE _file DROP COLUMN accepted")
    try ship.device.connection.write {
      try ship.replica.outbox.install($0, device: DeviceID(Ship.uuid(1, 1)))
    }
    #expect(try sent() == ["c1 1"])
    try harbour.settle()
    #expect(try sent() == ["c1 2"])
  }

  @Test func `Rows are read for acceptance only when a file of a former version is opened`() throws
  {
    try insert(first)
    try harbour.settle()
    try ship.run("UPDATE _file SET accepted = 0")
    try ship.device.connection.write {
      try ship.replica.outbox.install($0, device: DeviceID(Ship.uuid(1, 1)))
    }
    #expect(try sent() == [])
  }
}
