import Foundation
import OffshoreFiles
import Testing

/// The changes of a group, and their entries in its log.
struct ElementChangeTests {
  private typealias Change = ElementChange<FleetEdit>

  private func names(_ change: Change) -> [String] { change.types.map { "\($0)" }.sorted() }

  // MARK: - Types

  @Test func `A saved or deleted element is of one type`() {
    #expect(names(.save(Boat(1))) == ["Boat"])
    #expect(names(.save(Port(9))) == ["Port"])
    #expect(names(.delete(UUID(1), Boat.self)) == ["Boat"])
  }

  @Test func `Edits are of each of their types once`() {
    #expect(names(.apply([])) == [])
    #expect(names(.apply([.boat(nil, Boat(1)), .boat(nil, Boat(2))])) == ["Boat"])
    #expect(
      names(.apply([.boat(nil, Boat(1)), .port(nil, Port(9)), .boat(nil, Boat(2))]))
        == ["Boat", "Port"])
  }

  @Test func `An edit has the id of the element that it removes`() {
    #expect(FleetEdit.boat(Boat(1), nil).removedID == UUID(1))
    #expect(FleetEdit.boat(nil, Boat(1)).removedID == nil)
    #expect(FleetEdit.boat(Boat(1), Boat(1, "Alma")).removedID == nil)
  }

  // MARK: - Saving and deleting

  @Test(arguments: FleetEngine.allCases)
  func `A change returns its entry of the log`(_ engine: FleetEngine) async throws {
    let group = try engine.makePlace().open()
    let saved = try #require(try await group.perform(.save(Boat(1))))
    #expect(saved.edits == [.boat(nil, Boat(1), at: 0)])
    #expect(try await group.loadChanges().map(\.id) == [saved.id])
    #expect(try await group.perform(.save(Boat(1))) == nil)
    #expect(try await group.perform(.delete(UUID(7), Boat.self)) == nil)
  }

  @Test func `A saved element is an insertion, a change, or nothing`() throws {
    var content = GroupContent<FleetChange>()
    try content.perform(.save(Boat(1)))
    try content.perform(.save(Boat(1, "Alma")))
    try content.perform(.save(Boat(1, "Alma")))
    #expect(
      content.changes.map(\.edits) == [
        [.boat(nil, Boat(1), at: 0)], [.boat(Boat(1), Boat(1, "Alma"))],
      ])
  }

  @Test func `The deletion of an element of another type with the same id has no effect`() throws {
    var content = GroupContent<FleetChange>()
    try content.perform(.save(Boat(1)))
    let before = content
    try content.perform(.delete(UUID(1), Port.self))
    #expect(content == before)
    try content.perform(.delete(UUID(1), Boat.self))
    #expect(content[Boat.self].isEmpty)
  }

  // MARK: - Entries of the log

  @Test func `The inverse of a change has its edits in the other order`() {
    let change = FleetChange(
      id: UUID(1), moment: .distantPast,
      edits: [.boat(nil, Boat(1), at: 0), .port(Port(9), nil, at: 2), .boat(nil, nil)])
    #expect(
      change.inverseEdits == [
        .boat(nil, nil), .port(nil, Port(9), at: 2), .boat(Boat(1), nil, at: 0),
      ])
    let empty = FleetChange(id: UUID(2), moment: .distantPast, edits: [])
    #expect(empty.inverseEdits == [])
  }

  @Test func `Refusals are equal if their differences are`() {
    let refusal = RefusedEdits<FleetEdit>(differences: [.boat(Boat(1), nil)])
    #expect(refusal == RefusedEdits(differences: [.boat(Boat(1), nil)]))
    #expect(refusal != RefusedEdits(differences: [.boat(Boat(1), nil, at: 0)]))
    #expect(Set([refusal, refusal]).count == 1)
  }

  @Test func `The description of a refusal has no values`() {
    let edits: [FleetEdit] = [.boat(Boat(1, "Alma"), nil), .port(Port(9), nil)]
    let one = RefusedEdits(differences: [edits[0]])
    #expect("\(one)" == "1 element has changed since")
    let both = RefusedEdits(differences: edits)
    #expect("\(both)" == "2 elements have changed since")
    #expect(String(reflecting: both).contains("Alma"))
  }

  @Test(arguments: FleetEngine.allCases)
  func `Entries of the log are listed with the oldest first`(_ engine: FleetEngine) async throws {
    let place = try engine.makePlace()
    let group = place.open()
    try await group.perform(.save(Port(9)))
    try await group.replaceLoaded([Boat(2), Boat(1)])
    try await group.perform(.delete(UUID(2), Boat.self))
    let changes = try await place.open().loadChanges()
    #expect(
      changes.map(\.edits) == [
        [.port(nil, Port(9), at: 0)], [.boat(nil, Boat(2), at: 0), .boat(nil, Boat(1), at: 1)],
        [.boat(Boat(2), nil, at: 0)],
      ])
    #expect(Set(changes.map(\.id)).count == 3)
    // Whole seconds, which each kind of group stores exactly.
    #expect(
      changes.allSatisfy {
        $0.moment.timeIntervalSinceReferenceDate.truncatingRemainder(dividingBy: 1) == 0
      })
    #expect(try await group.content().changes.map(\.id) == changes.map(\.id))
  }
}
