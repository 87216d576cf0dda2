import Foundation
import Offshore
import OffshoreFiles
import Testing

/// The rows of a group in tables.
@Suite(.timeLimit(.minutes(1)))
struct TableGroupTests {
  private let folder: TestFolder
  private let database: Database
  private let group: TableGroup<FleetChange>

  init() throws {
    folder = try TestFolder()
    database = try Self.open(folder)
    group = TableGroup(database, of: [Boat.self, Port.self]) { _ in UUID(77) }
  }

  private static func open(_ folder: TestFolder) throws -> Database {
    try Database(
      folder.file("fleet.sqlite"),
      migrations: [
        Migration("v1", .create(Boat.rows), .create(Port.rows), .create(FleetChange.rows))
      ])
  }

  private func boatRows() async throws -> [ElementRow<Boat>] {
    try await database.read { try ElementRow<Boat>.order { $0.position }.all($0) }
  }

  private func run(_ statements: String...) async throws {
    try await database.write { writer in
      for statement in statements { try SQL(raw: statement).run(writer) }
    }
  }

  // MARK: - Rows

  @Test func `Elements and changes are rows with positions and an owner`() async throws {
    try await group.replaceLoaded([Boat(2, "Alma"), Boat(1)])
    try await group.perform(.save(Boat(3)))
    #expect(
      try await boatRows() == [
        ElementRow(Boat(2, "Alma"), position: 0, userID: UUID(77)),
        ElementRow(Boat(1), position: 1, userID: UUID(77)),
        ElementRow(Boat(3), position: 2, userID: UUID(77)),
      ])
    let changes = try await database.read {
      try ChangeRow<FleetChange>.order { $0.position }.all($0)
    }
    #expect(changes.map(\.edits) == (try await group.loggedEdits()))
    #expect(changes.map(\.position) == [0, 1])
    #expect(Set(changes.map(\.userID)) == [UUID(77)])
  }

  @Test func `A removed element leaves the positions of the others, and returns to its own`()
    async throws
  {
    try await group.replaceLoaded([Boat(1), Boat(2), Boat(3)])
    try await group.perform(.delete(UUID(2), Boat.self))
    #expect(try await boatRows().map(\.position) == [0, 2])
    let change = try #require(try await group.loadChanges().last)
    #expect(change.edits == [.boat(Boat(2), nil, at: 1)])
    try await group.perform(.apply(change.inverseEdits))
    #expect(try await boatRows().map(\.position) == [0, 1, 2])
    #expect(try await group.boatNumbers() == [1, 2, 3])
  }

  @Test func `Rows with one position are in the order of their ids`() async throws {
    try await group.replaceLoaded([Boat(3), Boat(1), Boat(2)])
    try await run("UPDATE boats SET position = 4")
    #expect(try await group.boatNumbers() == [1, 2, 3])
  }

  @Test func `A change writes only the rows that differ`() async throws {
    try await group.replaceLoaded([Boat(1), Boat(2), Boat(3)])
    try await run(
      "CREATE TABLE written (name TEXT)",
      """
      CREATE TRIGGER updated AFTER UPDATE ON boats BEGIN
        INSERT INTO written VALUES (new.name);
      END
      """)
    try await group.replaceLoaded([Boat(1), Boat(2, "Alma"), Boat(3), Boat(4, "new")])
    try await group.perform(.save(Boat(3, "Bura")))
    try await group.perform(.save(Boat(3, "Bura")))
    let names = try await database.read { reader in
      try SQL("SELECT name FROM written ORDER BY rowid").all(reader, as: String.self)
    }
    #expect(names == ["Alma", "Bura"])
  }

  @Test func `The owner of a new row is read in the transaction of its change`() async throws {
    try await run("CREATE TABLE account (number INTEGER)", "INSERT INTO account VALUES (5)")
    let group = TableGroup<FleetChange>(database, of: [Boat.self, Port.self]) { reader in
      let number = try SQL("SELECT number FROM account").first(reader, as: Int.self)
      return UUID(UInt8(number ?? 0))
    }
    try await group.perform(.save(Boat(1)))
    try await run("UPDATE account SET number = 6")
    try await group.perform(.save(Boat(2)))
    #expect(try await boatRows().map(\.userID) == [UUID(5), UUID(6)])
  }

  // MARK: - Failures

  @Test func `An owner that cannot be read fails the change, of which nothing is stored`()
    async throws
  {
    struct SignedOut: Error {}
    let group = TableGroup<FleetChange>(database, of: [Boat.self, Port.self]) { _ in
      throw SignedOut()
    }
    await #expect(throws: SignedOut.self) { try await group.perform(.save(Boat(1))) }
    await #expect(throws: SignedOut.self) { try await group.replaceLoaded([Port(9)]) }
    #expect(try await group.content() == GroupContent())
  }

  @Test func `A row that the database refuses fails the whole change`() async throws {
    try await group.replaceLoaded([Boat(1)])
    try await run(
      """
      CREATE TRIGGER refuse BEFORE INSERT ON ports WHEN new.depth < 0 BEGIN
        SELECT raise(ABORT, 'A depth is not negative.');
      END
      """)
    let before = try await group.content()
    let error = await #expect(throws: DatabaseError.self) {
      try await group.apply(
        .boat(Boat(1), Boat(1, "Alma")), .boat(nil, Boat(2)), .port(nil, Port(9, depth: -1)))
    }
    #expect(error?.code == .constraint)
    #expect(try await group.content() == before)
    var content = GroupContent<FleetChange>()
    content[Port.self] = try ElementList([Port(9, depth: 1), Port(8, depth: -1)])
    await #expect(throws: DatabaseError.self) { try await group.replaceAll(content) }
    #expect(try await group.content() == before)
  }

  @Test func `A log that cannot be written fails the change of the elements`() async throws {
    try await run(
      "CREATE TRIGGER refuse BEFORE INSERT ON changes BEGIN SELECT raise(ABORT, 'full'); END")
    await #expect(throws: DatabaseError.self) { try await group.perform(.save(Boat(1))) }
    await #expect(throws: DatabaseError.self) { try await group.replaceLoaded([Boat(2)]) }
    #expect(try await group.load(Boat.self) == [])
  }

  @Test func `A damaged entry of the log fails its load, and elements are loaded still`()
    async throws
  {
    try await group.perform(.save(Boat(1)))
    try await run("UPDATE changes SET edits = '[{'")
    let error = await #expect(throws: DatabaseError.self) { try await group.loadChanges() }
    #expect(error?.code == .invalidValue)
    await #expect(throws: DatabaseError.self) { try await group.content() }
    #expect(try await group.load(Boat.self) == [Boat(1)])
    // A further change does not read the log.
    try await group.perform(.save(Boat(2)))
    #expect(try await group.boatNumbers() == [1, 2])
  }

  @Test func `A closed database fails loads, changes and signals`() async throws {
    await database.close()
    await #expect(throws: DatabaseError.self) { try await group.load(Boat.self) }
    await #expect(throws: DatabaseError.self) { try await group.perform(.save(Boat(1))) }
    await #expect(throws: DatabaseError.self) {
      for try await _ in group.signals(of: Boat.self) { break }
    }
  }

  // MARK: - Other databases of the file

  @Test func `Rows that another database of the file writes are loaded and signalled`()
    async throws
  {
    var boats = group.signals(of: Boat.self).makeAsyncIterator()
    var changes = group.changeSignals().makeAsyncIterator()
    _ = try await (boats.next(), changes.next())
    let other = TableGroup<FleetChange>(
      try Self.open(folder), of: [Boat.self, Port.self]
    ) { _ in UUID(8) }
    try await other.perform(.save(Boat(1)))
    while try await group.boatNumbers().isEmpty { _ = try await boats.next() }
    while try await group.loadChanges().isEmpty { _ = try await changes.next() }
    #expect(try await boatRows().map(\.userID) == [UUID(8)])
    #expect(try await group.content() == other.content())
  }

  @Test func `A row that is written directly is signalled, and not logged`() async throws {
    try await group.perform(.save(Boat(1)))
    var boats = group.signals(of: Boat.self).makeAsyncIterator()
    _ = try await boats.next()
    try await run("UPDATE boats SET name = 'Alma'")
    while try await group.load(Boat.self) != [Boat(1, "Alma")] { _ = try await boats.next() }
    #expect(try await group.loadChanges().count == 1)
  }
}
