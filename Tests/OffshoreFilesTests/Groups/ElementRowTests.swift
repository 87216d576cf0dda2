import Foundation
import Offshore
import Testing

@testable import OffshoreFiles

/// The rows of elements and changes, and their tables.
@Suite(.timeLimit(.minutes(1)))
struct ElementRowTests {
  private let database: Database

  init() throws {
    database = try Database.temporary(migrations: [
      Migration("v1", .create(Boat.rows), .create(Port.rows), .create(FleetChange.rows))
    ])
  }

  private func change(_ number: UInt8, at seconds: Double) -> FleetChange {
    FleetChange(
      id: UUID(number), moment: Date(timeIntervalSinceReferenceDate: seconds),
      edits: [.boat(nil, Boat(number), at: 0), .port(Port(9), Port(9, depth: 2.5))])
  }

  private func row(_ change: FleetChange, position: Int) -> ChangeRow<FleetChange> {
    ChangeRow(change, position: position, userID: UUID(77))
  }

  @Test func `The row of an element has its id`() {
    let row = ElementRow(Boat(3, "Alma"), position: 4, userID: UUID(77))
    #expect(row.id == UUID(3))
    #expect(row.element == Boat(3, "Alma"))
    #expect(row.position == 4)
    #expect(row.userID == UUID(77))
  }

  @Test func `Rows are equal if all of their columns are`() {
    let row = ElementRow(Boat(3), position: 4, userID: UUID(77))
    #expect(row == ElementRow(Boat(3), position: 4, userID: UUID(77)))
    #expect(row != ElementRow(Boat(3, "Alma"), position: 4, userID: UUID(77)))
    #expect(row != ElementRow(Boat(3), position: 5, userID: UUID(77)))
    #expect(row != ElementRow(Boat(3), position: 4, userID: UUID(78)))
  }

  @Test func `The table of a row is that of its element`() {
    #expect(ElementRow<Boat>.table.name == "boats")
    #expect(ElementRow<Port>.table.name == "ports")
    #expect(ChangeRow<FleetChange>.table.name == "changes")
    #expect(ChangeRow<FleetChange>.makeTable("history").name == "history")
  }

  @Test func `The row of an element is stored and found`() async throws {
    let row = ElementRow(Port(9, depth: 2.5), position: 3, userID: UUID(77))
    try await database.write { try row.insert($0) }
    #expect(try await database.read { try ElementRow<Port>.find(UUID(9)).first($0) } == row)
    #expect(try await database.read { try ElementRow<Port>.find(UUID(8)).first($0) } == nil)
  }

  @Test func `A changed row updates its own columns`() async throws {
    let row = ElementRow(Boat(1), position: 0, userID: UUID(77))
    var changed = ElementRow(Boat(1, "Alma"), position: 0, userID: UUID(77))
    changed.position = 6
    try await database.write { [changed] writer in
      try row.insert(writer)
      try row.update(changing: changed, writer)
    }
    #expect(try await database.read { try ElementRow<Boat>.find(UUID(1)).first($0) } == changed)
  }

  @Test func `The row of a change keeps its edits as JSON`() async throws {
    let row = row(change(1, at: 12), position: 2)
    try await database.write { try row.insert($0) }
    #expect(try await database.read { try ChangeRow<FleetChange>.find(UUID(1)).first($0) } == row)
    let text = try await database.read { reader in
      try SQL("SELECT edits FROM changes").first(reader, as: String.self)
    }
    let data = Data(try #require(text).utf8)
    #expect(try JSONDecoder().decode([FleetEdit].self, from: data) == row.edits)
  }

  @Test func `Changes with one position are in the order of their times, and then of their ids`()
    async throws
  {
    let rows = [
      row(change(4, at: 20), position: 1), row(change(3, at: 30), position: 1),
      row(change(2, at: 20), position: 1), row(change(1, at: 99), position: 0),
    ]
    try await database.write { writer in
      for row in rows { try row.insert(writer) }
    }
    let group = TableGroup<FleetChange>(database, of: [Boat.self, Port.self]) { _ in UUID(77) }
    #expect(try await group.loadChanges().map(\.id) == [1, 2, 4, 3].map { UUID($0) })
    #expect(try await group.loadChanges().first == change(1, at: 99))
  }

  @Test func `The oldest rows of the log are deleted first, whatever their times`() async throws {
    let stamp = ChangeStamp(now: { .distantPast })
    let group = TableGroup<FleetChange>(
      database, of: [Boat.self, Port.self], stamp: stamp
    ) { _ in UUID(77) }
    let rows = (UInt8(0)..<5).map { row(change($0, at: 50 - Double($0)), position: Int($0)) }
    try await database.write { writer in
      for row in rows { try row.insert(writer) }
    }
    try await group.perform(.save(Boat(7)))
    let changes = try await group.loadChanges()
    #expect(changes.dropLast().map(\.id) == [1, 2, 3, 4].map { UUID($0) })
    #expect(changes.last?.moment == .distantPast)
    #expect(changes.last?.edits == [.boat(nil, Boat(7), at: 0)])
  }
}
