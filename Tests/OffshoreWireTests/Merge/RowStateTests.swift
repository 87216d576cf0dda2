import TestSupport
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

/// The size of a row, as its limit counts it.
struct RowSizeTests {
  /// The size of a row without fields: its names, numbers, and the stamp with its device.
  private static let headBytes = 120

  @Test(arguments: 0..<20)
  func `An encoded row is not larger than its counted size`(seed: UInt64) {
    var random = SeededRandom(seed: 900 + seed)
    for _ in 0..<50 {
      let row = random.syncedRow(table: "t")
      let limit = row.state.byteCount + Self.headBytes
      #expect(row.encoded().count <= limit)
      #expect(RowPage([row]).encoded().count <= limit)
    }
  }

  @Test
  func `A row with a version of another device for each key is not larger than its counted size`() {
    let keys = (0..<2_000).map { "items.\($0)" }
    let versions = keys.enumerated().map { index, key in
      (key, Stamp.at(index % 2 == 0 ? 1 : 1 << 47, 0xFFFF, by: UInt64(index)))
    }
    let state = RowState(
      stamp: .at(5, by: 9_000), fields: Dictionary(uniqueKeysWithValues: keys.map { ($0, .null) }),
      versions: Dictionary(uniqueKeysWithValues: versions))
    let row = SyncedRow(Fleet.charter, seq: 1, state: state)
    #expect(row.encoded().count <= state.byteCount + Self.headBytes)
    #expect(RowPage([row]).encoded().count <= state.byteCount + Self.headBytes)
  }

  @Test func `Values, names and versions count`() {
    func count(_ fields: [String: WireValue]) -> Int {
      RowState(stamp: .at(1), fields: fields).byteCount
    }
    #expect(count([:]) == 0)
    #expect(count(["name": "abc"]) == count(["name": ""]) + 3)
    #expect(count(["names": ""]) == count(["name": ""]) + 1)
    #expect(count(["a": 1, "b": 2]) == 2 * count(["a": 1]))
    #expect(count(["a": .null]) > Stamp.leastByteCount)
    let tombstone = RowState(generation: 2, presence: .deleted, stamp: .at(1))
    #expect(tombstone.byteCount == 0)
  }

  @Test(arguments: [1_000_000, 1_048_400, 1_048_520, WireLimits.valueBytes])
  func `An insertion is allowed if its row is small enough`(bytes: Int) throws {
    let text = "\"" + String(repeating: "a", count: bytes - 2) + "\""
    var fields: [String: WireValue] = ["name": "a"]
    for key in 0..<4 { fields["items.\(key)"] = WireValue(text) }
    let op = Op(.put, Fleet.charter, fields: fields, stamp: .at(1))
    let isSmall = RowState(stamp: .at(1), fields: fields).byteCount <= WireLimits.rowBytes
    #expect(isSmall == (bytes < 1_048_500))
    let (manifest, scope) = (try Fleet.manifest(), try ScopeID("charter/7"))
    let refusal = Result { () throws(Rejection) in try manifest.check(op, in: scope) }
    var code: Rejection.Code?
    if case .failure(let rejection) = refusal { code = rejection.code }
    #expect(code == (isSmall ? nil : .tooLarge))
  }
}
