import Foundation
import OffshoreFiles
import Testing

/// All elements of a group as one value.
struct GroupContentTests {
  private typealias Content = GroupContent<FleetChange>

  private func makeContent(_ boats: Boat...) throws -> Content {
    var content = Content()
    content[Boat.self] = try ElementList(boats)
    return content
  }

  // MARK: - Elements

  @Test func `New content has no elements of any type`() {
    let content = Content()
    #expect(content[Boat.self].isEmpty)
    #expect(content[Port.self].isEmpty)
    #expect(content[Buoy.self].isEmpty)
    #expect(content.changes.isEmpty)
  }

  @Test func `Elements of different types with one id are apart`() throws {
    var content = try makeContent(Boat(1))
    content[Port.self].upsert(Port(1, depth: 3))
    #expect(content[Boat.self][id: UUID(1)] == Boat(1))
    content[Boat.self].remove(UUID(1))
    #expect(Array(content[Port.self]) == [Port(1, depth: 3)])
  }

  @Test func `Content is equal if its elements, their order and its changes are`() throws {
    let content = try makeContent(Boat(1), Boat(2))
    #expect(try content == makeContent(Boat(1), Boat(2)))
    #expect(try content != makeContent(Boat(2), Boat(1)))
    #expect(try content != makeContent(Boat(1)))
    var other = content
    other[Port.self] = ElementList()
    #expect(content == other)
    other.changes.upsert(FleetChange(id: UUID(5), moment: .distantPast, edits: []))
    #expect(content != other)
  }

  // MARK: - Changes

  @Test func `A new element is appended, or inserted at the place of its edit`() throws {
    var content = try makeContent(Boat(1), Boat(2))
    try content.perform(.save(Boat(3)))
    try content.perform(
      .apply([
        .boat(nil, Boat(4), at: 0), .boat(nil, Boat(5), at: 2), .boat(nil, Boat(6), at: 99),
        .boat(nil, Boat(7), at: -1),
      ]))
    #expect(content[Boat.self].map(\.id) == [7, 4, 1, 5, 2, 3, 6].map { UUID($0) })
    // The log has the places at which the elements are.
    #expect(
      content.changes.last?.edits == [
        .boat(nil, Boat(4), at: 0), .boat(nil, Boat(5), at: 2), .boat(nil, Boat(6), at: 5),
        .boat(nil, Boat(7), at: 0),
      ])
  }

  @Test func `A changed element stays in its place`() throws {
    var content = try makeContent(Boat(1), Boat(2), Boat(3))
    try content.perform(.save(Boat(2, "Alma")))
    try content.perform(.apply([.boat(Boat(1), Boat(1, "Bura"), at: 2)]))
    #expect(Array(content[Boat.self]) == [Boat(1, "Bura"), Boat(2, "Alma"), Boat(3)])
    #expect(content.changes.last?.edits == [.boat(Boat(1), Boat(1, "Bura"))])
  }

  @Test func `A removal is logged with the place of the element`() throws {
    var content = try makeContent(Boat(1), Boat(2), Boat(3))
    try content.perform(.delete(UUID(2), Boat.self))
    try content.perform(.apply([.boat(Boat(3), nil, at: 7)]))
    #expect(
      content.changes.map(\.edits) == [[.boat(Boat(2), nil, at: 1)], [.boat(Boat(3), nil, at: 1)]])
  }

  @Test func `Replaced elements are logged as removals, changes and insertions`() throws {
    var content = try makeContent(Boat(1), Boat(2), Boat(3))
    try content.replace(by: [Boat(4), Boat(3, "Jugo")])
    #expect(Array(content[Boat.self]) == [Boat(4), Boat(3, "Jugo")])
    #expect(
      content.changes.map(\.edits) == [
        [
          .boat(Boat(2), nil, at: 1), .boat(Boat(1), nil, at: 0), .boat(Boat(3), Boat(3, "Jugo")),
          .boat(nil, Boat(4), at: 0),
        ]
      ])
  }

  @Test func `Another order of the same elements is not logged`() throws {
    var content = try makeContent(Boat(1), Boat(2))
    try content.replace(by: [Boat(2), Boat(1)])
    #expect(content[Boat.self].map(\.id) == [UUID(2), UUID(1)])
    #expect(content.changes.isEmpty)
  }

  @Test func `Other content is merged by its ids, and the log stays`() throws {
    var content = try makeContent(Boat(1), Boat(2))
    try content.perform(.save(Port(9)))
    let log = content.changes
    var other = try makeContent(Boat(3), Boat(2, "Alma"))
    try other.perform(.save(Boat(4)))
    content.upsert(other)
    #expect(Array(content[Boat.self]) == [Boat(1), Boat(2, "Alma"), Boat(3), Boat(4)])
    #expect(Array(content[Port.self]) == [Port(9)])
    #expect(content.changes == log)
  }

  @Test func `Elements with one id replace nothing`() throws {
    var content = try makeContent(Boat(1))
    let error = #expect(throws: FileError.self) { try content.replace(by: [Boat(2), Boat(2)]) }
    #expect(error?.code == .duplicateID)
    #expect(try content == makeContent(Boat(1)))
  }

  @Test func `A refusal names every edit that does not fit`() throws {
    var content = try makeContent(Boat(1), Boat(2))
    let refusal = #expect(throws: RefusedEdits<FleetEdit>.self) {
      try content.perform(
        .apply([.boat(nil, Boat(1, "Alma")), .port(Port(9), nil), .boat(Boat(2, "Jugo"), nil)]))
    }
    #expect(
      refusal
        == RefusedEdits(differences: [
          .boat(nil, Boat(1)), .port(Port(9), nil), .boat(Boat(2, "Jugo"), Boat(2)),
        ]))
    #expect(content.changes.isEmpty)
  }

  @Test func `A refused change leaves all elements as they were`() throws {
    var content = try makeContent(Boat(1), Boat(2))
    try content.perform(.save(Port(9)))
    let before = content
    #expect(throws: RefusedEdits<FleetEdit>.self) {
      try content.perform(
        .apply([.boat(Boat(1), nil), .port(Port(9), Port(9, depth: 4)), .boat(Boat(7), nil)]))
    }
    #expect(content == before)
  }

  // MARK: - The log

  @Test func `The oldest changes leave the log beyond its limit`() throws {
    var content = Content()
    for number in UInt8(0)..<7 { try content.perform(.save(Boat(number))) }
    try content.replace(by: [Port(9)])
    #expect(content.changes.count == FleetChange.logLimit)
    #expect(content.changes.first?.edits == [.boat(nil, Boat(3), at: 3)])
    #expect(content.changes.last?.edits == [.port(nil, Port(9), at: 0)])
    #expect(content[Boat.self].count == 7)
  }

  @Test func `A change has the id and the time of its stamp`() throws {
    var content = Content()
    let stamp = ChangeStamp(
      now: { Date(timeIntervalSinceReferenceDate: 3.9) }, makeID: { UUID(8) })
    try content.perform(.save(Boat(1)), stamp)
    #expect(content.changes.map(\.id) == [UUID(8)])
    #expect(content.changes.map(\.moment) == [Date(timeIntervalSinceReferenceDate: 3)])
  }
}
