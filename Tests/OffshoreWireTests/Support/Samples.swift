import TestSupport
import Testing

@testable import OffshoreWire

extension DeviceID {
  /// Returns the device of a number. The devices have the order of the numbers.
  static func sample(_ number: UInt64) -> DeviceID { DeviceID(high: 0, low: number) }
}

extension Stamp {
  /// Returns the stamp of a time, a counter and a device.
  static func at(_ milliseconds: Int64, _ counter: UInt16 = 0, by device: UInt64 = 1) -> Stamp {
    Stamp(milliseconds: milliseconds, counter: counter, device: .sample(device))
  }
}

extension SeededRandom {
  /// Returns a random number from 0 up to, but not including, a limit.
  mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  /// Returns random bytes, which may be malformed UTF-8.
  mutating func bytes(upTo count: Int) -> [UInt8] {
    (0..<number(below: count + 1)).map { _ in UInt8.random(in: .min ... .max, using: &self) }
  }

  /// Returns a real of random bits: a number, an infinity, a NaN or a zero of either sign.
  mutating func real() -> Double { Double(bitPattern: next()) }

  /// Returns a value of any kind.
  mutating func value() -> WireValue {
    switch number(below: 6) {
    case 0: .null
    case 1: .integer(Int64(bitPattern: next() >> UInt64(number(below: 64))))
    case 2: .real(real())
    case 3: .text(bytes(upTo: 12))
    case 4: .text(Array("Schäkel №\(number(below: 100))".utf8))
    default: .blob(bytes(upTo: 40))
    }
  }

  /// Returns a stamp of one of five devices.
  mutating func stamp() -> Stamp {
    Stamp(
      milliseconds: Int64(number(below: 1 << 44)), counter: UInt16(number(below: 3)),
      device: .sample(UInt64(number(below: 5))))
  }
}

extension SeededRandom {
  /// Returns fields of any values, some of them keys, and stamps for some of them.
  mutating func fields() -> (values: [String: WireValue], stamps: [String: Stamp]) {
    var values: [String: WireValue] = [:]
    var stamps: [String: Stamp] = [:]
    let some = [stamp(), stamp()]
    for number in 0..<number(below: 8) {
      let name = self.number(below: 3) == 0 ? "items.\(self.number(below: 50))" : "column\(number)"
      values[name] = value()
      if self.number(below: 2) == 0 { stamps[name] = some[self.number(below: 2)] }
    }
    return (values, stamps)
  }

  /// Returns a random row.
  mutating func rowState() -> RowState {
    let (values, versions) = fields()
    let presence: RowState.Presence = [.living, .living, .living, .deleted, .moved][
      number(below: 5)]
    return RowState(
      generation: Int64(number(below: 1_000)), presence: presence, stamp: stamp(), fields: values,
      versions: versions)
  }

  /// Returns a random op.
  mutating func op() throws -> Op {
    let (values, base) = fields()
    let kinds: [Op.Kind] = [
      .put, .patch, .delete, .increment, .move(to: try ScopeID("charter/\(number(below: 9))")),
    ]
    return Op(
      kinds[number(below: 5)], RowID(table: "table\(number(below: 3))", id: "\(next())"),
      generation: Int64(number(below: 1_000)), fields: values, base: base, stamp: stamp())
  }
}

extension SeededRandom {
  /// Returns a random row with its change number.
  mutating func syncedRow(table: String) -> SyncedRow {
    let seq = Int64(next() >> UInt64(11 + number(below: 53)))
    return SyncedRow(RowID(table: table, id: "\(next())"), seq: seq, state: rowState())
  }
}

extension TablePage {
  /// Appends a row by its parts.
  mutating func append(_ id: String, seq: Int64, _ state: RowState) {
    append(StoredRow(SyncedRow(RowID(table: table, id: id), seq: seq, state: state)))
  }
}

/// Expects an error with a code.
/// - Returns: The error.
@discardableResult
func expect(
  _ code: WireError.Code, _ location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) throws -> WireError {
  let error = try #require(
    #expect(throws: WireError.self, sourceLocation: location, performing: body),
    sourceLocation: location)
  #expect(error.code == code, "\(error)", sourceLocation: location)
  return error
}
