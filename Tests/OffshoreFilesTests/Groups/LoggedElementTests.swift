import Foundation
import OffshoreFiles
import Testing

/// The edits of elements, and the edits that lead from some elements to others.
struct LoggedElementTests {
  private func edits(_ before: [Boat], _ after: [Boat]) -> [FleetEdit] { before.edits(to: after) }

  private func content(_ boats: [Boat]) throws -> GroupContent<FleetChange> {
    var content = GroupContent<FleetChange>()
    content[Boat.self] = try ElementList(boats)
    return content
  }

  // MARK: - One edit

  @Test func `An edit has the id of its element`() {
    #expect(ElementEdit(nil, Boat(1)).id == UUID(1))
    #expect(ElementEdit(Boat(2), nil).id == UUID(2))
    #expect(ElementEdit(Boat(3), Boat(3, "Alma")).id == UUID(3))
    #expect(ElementEdit<Boat>(nil, nil).id == nil)
  }

  @Test func `The inverse of an edit has its values in the other order, and its place`() {
    let edit = ElementEdit(nil, Boat(1), at: 4)
    #expect(edit.inverse == ElementEdit(Boat(1), nil, at: 4))
    #expect(edit.inverse.inverse == edit)
    #expect(FleetEdit.boat(edit).inverse == .boat(Boat(1), nil, at: 4))
    #expect(FleetEdit.port(Port(9), Port(9, depth: 2)).inverse == .port(Port(9, depth: 2), Port(9)))
  }

  @Test func `An edit has values for the type of its element only`() {
    let edit = FleetEdit.port(nil, Port(9), at: 1)
    #expect(Port.values(of: edit) == ElementEdit(nil, Port(9), at: 1))
    #expect(Boat.values(of: edit) == nil)
    #expect(edit.typed.elementType.fileName == Port.fileName)
    #expect(FleetEdit.boat(nil, nil).typed.elementType.fileName == Boat.fileName)
  }

  @Test func `An edit is the same after it was encoded and decoded`() throws {
    let edits: [FleetEdit] = [
      .boat(nil, Boat(1, "Alma"), at: 3), .boat(Boat(1), nil), .port(Port(9), Port(9, depth: 2.5)),
    ]
    let data = try JSONEncoder().encode(edits)
    #expect(try JSONDecoder().decode([FleetEdit].self, from: data) == edits)
  }

  // MARK: - Edits between elements

  @Test func `Removals come first, in descending order, then changes, then insertions`() {
    #expect(
      edits(
        [Boat(1), Boat(2), Boat(3), Boat(4)],
        [Boat(5), Boat(4, "Alma"), Boat(2), Boat(6)]) == [
          .boat(Boat(3), nil, at: 2), .boat(Boat(1), nil, at: 0), .boat(Boat(4), Boat(4, "Alma")),
          .boat(nil, Boat(5), at: 0), .boat(nil, Boat(6), at: 3),
        ])
  }

  @Test func `Equal elements need no edits, whatever their order`() {
    #expect(edits([], []) == [])
    #expect(edits([Boat(1), Boat(2)], [Boat(1), Boat(2)]) == [])
    #expect(edits([Boat(1), Boat(2)], [Boat(2), Boat(1)]) == [])
  }

  @Test func `Given places are those of removed and inserted elements`() {
    let places = [UUID(1): 10, UUID(2): 20, UUID(3): 30]
    let edits = [Boat(1), Boat(2)].edits(to: [Boat(2, "Alma"), Boat(3), Boat(4)], at: places)
    #expect(
      edits == [
        .boat(Boat(1), nil, at: 10), .boat(Boat(2), Boat(2, "Alma")), .boat(nil, Boat(3), at: 30),
        .boat(nil, Boat(4), at: 2),
      ])
  }

  @Test(
    arguments: [
      ([], [1, 2, 3]), ([1, 2, 3], []), ([1, 2, 3], [4, 5]), ([1, 2, 3, 4], [2, 4]),
      ([2, 4], [1, 2, 3, 4, 5]), ([1, 3, 5], [0, 3, 4, 6]),
    ] as [([UInt8], [UInt8])])
  func `The edits lead to the other elements, and their inverses back`(
    _ before: [UInt8], _ after: [UInt8]
  ) throws {
    let (before, after) = (before.map { Boat($0) }, after.map { Boat($0, "\($0 % 2)") })
    var content = try content(before)
    try content.perform(.apply(edits(before, after)))
    #expect(Array(content[Boat.self]) == after)
    let change = try #require(content.changes.last)
    try content.perform(.apply(change.inverseEdits))
    #expect(Array(content[Boat.self]) == before)
  }
}
