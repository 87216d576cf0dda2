import Testing

@testable import OffshoreWire

struct RowStateTests {
  private let state = RowState(
    stamp: .at(5), fields: ["a": 1, "b": 2], versions: ["b": .at(6)])

  @Test func `A field has its own version, the row's, or none`() {
    #expect(state.version(of: "a") == .at(5))
    #expect(state.version(of: "b") == .at(6))
    #expect(state.version(of: "c") == nil)
  }

  @Test func `A deleted row has no fields and no versions`() {
    let tombstone = RowState(
      presence: .deleted, stamp: .at(5), fields: ["a": 1], versions: ["a": .at(6)])
    #expect(tombstone.fields.isEmpty && tombstone.versions.isEmpty)
    #expect(!tombstone.isLiving && state.isLiving)
  }

  @Test func `Writing a field changes no other`() {
    var changed = state
    changed.set("a", 9, .at(7))
    #expect(changed.fields == ["a": 9, "b": 2])
    #expect(changed.versions == ["a": .at(7), "b": .at(6)])
  }

  @Test func `A version that equals the row's is not stored`() {
    var changed = state
    changed.set("b", 3, .at(5))
    #expect(changed.versions.isEmpty)
    #expect(changed.version(of: "b") == .at(5))
  }

  @Test func `A later stamp of the row preserves the versions of its fields`() {
    var changed = state
    changed.raiseStamp(to: .at(6))
    #expect(changed.stamp == .at(6))
    #expect(changed.versions == ["a": .at(5)])
    for field in ["a", "b"] { #expect(changed.version(of: field) == state.version(of: field)) }
  }

  @Test func `A tombstone has the next generation`() {
    #expect(
      state.tombstone(.moved, .at(9)) == RowState(generation: 2, presence: .moved, stamp: .at(9)))
  }
}

struct CodeNameTests {
  @Test func `The names of codes are stable`() {
    let rejections: [Rejection.Code] = [
      .unknownTable, .unknownColumn, .invalidValue, .invalidOp, .tooLarge, .wrongScope, .gone,
      .dependency, .missingReference, .forbidden,
    ]
    #expect(
      rejections.map(\.description) == [
        "unknownTable", "unknownColumn", "invalidValue", "invalidOp", "tooLarge", "wrongScope",
        "gone", "dependency", "missingReference", "forbidden",
      ])
    let problems: [WireProblem.Code] = [
      .malformed, .unauthorized, .forbidden, .tooLarge, .upgradeRequired, .tooManyRequests,
      .internalError, .unavailable,
    ]
    #expect(
      problems.map(\.description) == [
        "malformed", "unauthorized", "forbidden", "tooLarge", "upgradeRequired", "tooManyRequests",
        "internalError", "unavailable",
      ])
    let errors: [WireError.Code] = [
      .truncated, .malformed, .tooLarge, .unsupportedVersion, .invalidName, .invalidManifest,
    ]
    #expect(
      errors.map(\.description) == [
        "truncated", "malformed", "tooLarge", "unsupportedVersion", "invalidName",
        "invalidManifest",
      ])
  }

  @Test func `A code of another program is equal by its name`() {
    #expect(Rejection.Code(rawValue: "gone") == .gone)
    #expect(Rejection.Code(rawValue: "newer") != .gone)
  }

  @Test func `A rejection's description has the table and the field, never the row's id`() {
    let row = RowID(table: "charters", id: "secret")
    #expect("\(Rejection(.gone, "It is gone."))" == "gone: It is gone.")
    #expect("\(Rejection(.gone, "It is gone.", row: row))" == "gone (charters): It is gone.")
    #expect(
      "\(Rejection(.invalidValue, "No.", row: row, field: "name"))"
        == "invalidValue (charters.name): No.")
  }
}
