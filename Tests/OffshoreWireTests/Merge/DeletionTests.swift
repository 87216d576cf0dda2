import Testing

@testable import OffshoreWire

/// The conflicts for the values that a deletion removes.
struct DeletionTests {
  private let fixture: MergeFixture
  private let row = Fleet.charter

  init() throws { fixture = try MergeFixture() }

  /// Returns the fields that a deletion reports as lost.
  private func lost(of state: RowState, to deletion: Op) throws -> [String] {
    let conflicts = try fixture.merged(deletion, into: state).conflicts
    #expect(conflicts.allSatisfy { $0.reason == .ended && $0.winning == nil })
    return conflicts.map(\.field)
  }

  @Test(arguments: [3, 900] as [Int64])
  func `A value that the deleting device has not seen is lost, whenever it was written`(
    time: Int64
  ) throws {
    let seen = RowState(
      stamp: .at(2, by: 2), fields: ["name": "old", "note": "seen", "items": "{}", "items.a": "0"])
    let edits = [
      Op(.patch, row, fields: ["name": "mine"], stamp: .at(4, by: 1)),
      Op(.patch, row, fields: ["items.b": "1"], stamp: .at(time, by: 2)),
      Op(.patch, row, fields: ["items.a": .null], base: ["items.a": .at(2)], stamp: .at(5, by: 3)),
    ]
    let deletion = Op(.delete, row, base: seen.deletionBase, stamp: .at(300, by: 1))
    let deleted = try fixture.merged(deletion, into: try fixture.state(after: edits, from: seen))
    #expect(deleted.state == RowState(generation: 2, presence: .deleted, stamp: .at(300, by: 1)))
    #expect(
      deleted.conflicts == [
        Conflict(
          row: row, field: "items.a", losing: .null, losingStamp: .at(5, by: 3), winning: nil,
          winningStamp: .at(300, by: 1), reason: .ended),
        Conflict(
          row: row, field: "items.b", losing: "1", losingStamp: .at(time, by: 2), winning: nil,
          winningStamp: .at(300, by: 1), reason: .ended),
      ])
  }

  @Test func `A deletion without a base loses the later values`() throws {
    let seen = RowState(
      stamp: .at(2, by: 2), fields: ["name": "old", "note": "new"],
      versions: ["note": .at(9, by: 2)])
    let deleted = try fixture.merged(Op(.delete, row, stamp: .at(5)), into: seen)
    #expect(deleted.conflicts.map(\.field) == ["note"])
  }

  @Test func `A row reports its fields' versions, or none if an op could not name them all`() throws
  {
    let small = RowState(stamp: .at(2), fields: ["a": 1, "b": 2], versions: ["b": .at(3)])
    #expect(small.deletionBase == ["a": .at(2), "b": .at(3)])
    let many = (0...WireLimits.fieldsPerOp).map { ("items.\($0)", WireValue("0")) }
    #expect(
      RowState(stamp: .at(2), fields: Dictionary(uniqueKeysWithValues: many)).deletionBase.isEmpty)
    let long = "items." + String(repeating: "a", count: WireLimits.fieldNameBytes)
    #expect(RowState(stamp: .at(2), fields: [long: "0"]).deletionBase.isEmpty)
  }

  @Test func `A value is not lost if the deleting device replaced it by a refused one`() throws {
    let state = RowState(stamp: .at(2, by: 2), fields: ["name": "old", "note": "a"])
    let base: [String: Stamp] = ["name": .at(4, by: 1), "note": .at(2, by: 2)]
    let deletion = Op(.delete, row, base: base, stamp: .at(5, by: 1))
    #expect(try lost(of: state, to: deletion) == [])
    let later = RowState(
      stamp: .at(2, by: 2), fields: state.fields, versions: ["name": .at(9, by: 2)])
    #expect(try lost(of: later, to: deletion) == ["name"])
  }

  @Test func `A value was seen if the base has a later stamp of the same device`() throws {
    let state = RowState(stamp: .at(2, by: 2), fields: ["name": "old"])
    let seen = Op(.delete, row, base: ["name": .at(4, by: 2)], stamp: .at(5, by: 1))
    #expect(try lost(of: state, to: seen) == [])
    let other = Op(.delete, row, base: ["name": .at(4, by: 3)], stamp: .at(5, by: 1))
    #expect(try lost(of: state, to: other) == ["name"])
  }

  @Test func `A value in an unknown column was seen with the values of the same stamp`() throws {
    let state = RowState(
      stamp: .at(2, by: 2), fields: ["name": "old", "note": "a", "price": 1.0],
      versions: ["price": .at(3, by: 3)])
    let deletion = Op(.delete, row, base: ["name": .at(2, by: 2)], stamp: .at(5, by: 1))
    #expect(try lost(of: state, to: deletion) == ["price"])
  }
}
