import TestSupport
import Testing

@testable import OffshoreWire

/// Properties of all merges, tested with random edits of a few devices.
struct MergePropertyTests {
  private let fixture: MergeFixture

  init() throws { fixture = try MergeFixture() }

  private static let row = Fleet.charter

  private static let start = RowState(
    stamp: .at(10, by: 9),
    fields: [
      "name": "start", "note": .null, "deepest": 5, "earliest": 5, "miles": 100, "state": "draft",
      "tags": "[]", "tags.\"red\"": 1, "items": "{}", "items.a": "0",
    ])

  /// Returns an edit of a field whose policy does not depend on the order of arrival.
  private func edit(_ random: inout SeededRandom) -> (String, WireValue) {
    let number = random.number(below: 10)
    switch random.number(below: 8) {
    case 0: return ("name", WireValue("name \(number)"))
    case 1: return ("note", number == 0 ? .null : WireValue("note \(number)"))
    case 2: return ("deepest", .integer(Int64(number)))
    case 3: return ("earliest", number == 0 ? .null : .integer(Int64(number)))
    case 4: return ("state", WireValue(["draft", "booked", "over"][number % 3]))
    case 5: return ("tags.\"\(number % 3)\"", number < 5 ? .null : 1)
    case 6: return ("items.\(number % 3)", number < 3 ? .null : WireValue("\(number)"))
    default: return ("items.new\(number % 2)", WireValue("\(number)"))
    }
  }

  /// Returns the edits of one device that receives no others, each with the versions that it saw.
  private func edits(
    by device: UInt64, _ count: Int, deleting: Bool, _ random: inout SeededRandom
  ) throws -> [Op] {
    // Some clocks are behind the stamps that their devices have seen.
    let isBehind = random.number(below: 2) == 0
    var clock = HybridClock(device: .sample(device), latest: isBehind ? nil : Self.start.stamp)
    var state = Self.start
    var ops: [Op] = []
    for index in 0..<count where state.isLiving {
      let stamp = clock.next(at: Int64(random.number(below: isBehind ? 12 : 100)))
      let op = op(stamp, state, isDeletion: deleting && index == count - 1, &random)
      ops.append(op)
      state = try fixture.merged(op, into: state).state
    }
    return ops
  }

  private func op(
    _ stamp: Stamp, _ state: RowState, isDeletion: Bool, _ random: inout SeededRandom
  ) -> Op {
    if isDeletion { return Op(.delete, Self.row, base: state.deletionBase, stamp: stamp) }
    if random.number(below: 4) == 0 {
      let delta = Int64(random.number(below: 9)) - 4
      return Op(.increment, Self.row, fields: ["miles": .integer(delta)], stamp: stamp)
    }
    let edits = (0..<(1 + random.number(below: 3))).map { _ in edit(&random) }
    let fields = Dictionary(edits, uniquingKeysWith: { $1 })
    let base = fields.keys.reduce(into: [String: Stamp]()) { $0[$1] = state.version(of: $1) }
    return Op(.patch, Self.row, fields: fields, base: base, stamp: stamp)
  }

  /// Interleaves the edits of all devices at random. The order of each device's edits stays.
  private func interleaved(_ edits: [[Op]], _ random: inout SeededRandom) -> [Op] {
    var rest = edits.map { ArraySlice($0) }
    var ops: [Op] = []
    while true {
      let ready = rest.indices.filter { !rest[$0].isEmpty }
      guard let next = ready.randomElement(using: &random) else { return ops }
      ops += rest[next].prefix(1)
      rest[next] = rest[next].dropFirst()
    }
  }

  @Test func `Concurrent edits give the same row in any order of arrival`() throws {
    var random = SeededRandom(seed: 6)
    for round in 0..<150 {
      let edits = try (1...4).map { device in
        try self.edits(
          by: device, 1 + random.number(below: 4), deleting: round % 5 == Int(device), &random)
      }
      let first = try fixture.state(after: edits.flatMap(\.self), from: Self.start)
      for _ in 0..<6 {
        let other = try fixture.state(after: interleaved(edits, &random), from: Self.start)
        #expect(other == first, "round \(round)")
        #expect(other.encoded() == first.encoded())
      }
    }
  }

  @Test func `Concurrent insertions give the same row in any order of arrival`() throws {
    var random = SeededRandom(seed: 7)
    for round in 0..<100 {
      var ops = (1...4).map { device in
        let fields = (0..<6).map { _ in edit(&random) } + [("miles", .integer(Int64(device)))]
        return Op(
          .put, Self.row,
          fields: Dictionary(fields, uniquingKeysWith: { $1 }).filter { !$0.value.isNull },
          stamp: .at(Int64(random.number(below: 3)), by: UInt64(device)))
      }
      let first = try fixture.state(after: ops, from: nil)
      #expect(first.fields["miles"] == 10)
      for _ in 0..<6 {
        ops.shuffle(using: &random)
        #expect(try fixture.state(after: ops, from: nil) == first, "round \(round)")
      }
    }
  }

  @Test func `The value of a commutative and associative rule converges`() throws {
    var random = SeededRandom(seed: 8)
    let start = RowState(stamp: .at(1, by: 9), fields: ["log": ""])
    for _ in 0..<100 {
      var ops = (1...4).map { device in
        Op(
          .patch, Self.row, fields: ["log": WireValue(String(random.number(below: 2_000)))],
          base: [:], stamp: .at(Int64(2 + random.number(below: 5)), by: UInt64(device)))
      }
      let first = try fixture.state(after: ops, from: start).fields
      ops.shuffle(using: &random)
      #expect(try fixture.state(after: ops, from: start).fields == first)
    }
  }

  @Test func `Increments are never lost, whatever arrives in between`() throws {
    var random = SeededRandom(seed: 9)
    for _ in 0..<100 {
      let edits = try (1...5).map { try self.edits(by: $0, 5, deleting: false, &random) }
      let ops = interleaved(edits, &random)
      let sum = ops.filter { $0.kind == .increment }.reduce(100 as Int64) { sum, op in
        if case .integer(let delta) = op.fields["miles"] { sum + delta } else { sum }
      }
      #expect(try fixture.state(after: ops, from: Self.start).fields["miles"] == .integer(sum))
    }
  }

  @Test func `A device's later edit replaces its earlier one, whatever its clock`() throws {
    var random = SeededRandom(seed: 10)
    for _ in 0..<200 {
      var state = RowState(stamp: .at(50, by: 2), fields: ["name": "start", "price": 0.0])
      for number in 0..<10 {
        let name = WireValue("name \(number)")
        let op = Op(
          .patch, Self.row, fields: ["name": name, "price": .real(Double(number))],
          base: number == 0 ? ["name": .at(50, by: 2), "price": .at(50, by: 2)] : [:],
          stamp: .at(Int64(random.number(below: 100)), by: 1))
        let merged = try fixture.merged(op, into: state)
        #expect(merged.state.fields["name"] == name)
        #expect(merged.state.fields["price"] == .real(Double(number)))
        #expect(merged.conflicts.isEmpty)
        state = merged.state
      }
    }
  }

  @Test func `Different values of a field never have the same version`() throws {
    var random = SeededRandom(seed: 11)
    let fields = ["name", "price", "log"]
    for _ in 0..<100 {
      var state = RowState(
        stamp: .at(1, by: 9), fields: ["name": "", "price": "", "log": ""])
      var seen = Dictionary(uniqueKeysWithValues: fields.map { ($0, [state.stamp: WireValue("")]) })
      for number in 0..<20 {
        let field = fields[random.number(below: 3)]
        let base = random.number(below: 2) == 0 ? state.version(of: field) : nil
        let value = WireValue(String(repeating: "x", count: random.number(below: 5)) + "\(number)")
        let op = Op(
          .patch, Self.row, fields: [field: value],
          base: base.map { [field: $0] } ?? [:], stamp: random.stamp().clamped(to: 3))
        state = try fixture.merged(op, into: state).state
        let version = try #require(state.version(of: field))
        let known = seen[field]?[version]
        #expect(known == nil || known == state.fields[field])
        seen[field]?[version] = state.fields[field]
      }
    }
  }

  @Test func `The same edits give the same outcome each time`() throws {
    var random = SeededRandom(seed: 12)
    let edits = try (1...4).map { try self.edits(by: $0, 6, deleting: false, &random) }
    let ops = interleaved(edits, &random)
    func outcomes() -> [MergeOutcome] {
      var state: RowState? = Self.start
      return ops.map { op in
        let outcome = fixture.merge.apply(op, to: state)
        if case .merged(let row) = outcome { state = row.state }
        return outcome
      }
    }
    #expect(outcomes() == outcomes())
  }

  @Test func `An outcome reports exactly the fields that differ`() throws {
    var random = SeededRandom(seed: 13)
    for _ in 0..<100 {
      let edits = try (1...3).map { try self.edits(by: $0, 4, deleting: $0 == 3, &random) }
      var state = Self.start
      for op in interleaved(edits, &random) {
        let merged = try fixture.merged(op, into: state)
        #expect(merged.isChanged == (merged.state != state))
        if merged.state.isLiving {
          let fields = Set(merged.state.fields.keys).union(state.fields.keys)
          let different = fields.filter { merged.state.fields[$0] != state.fields[$0] }
          #expect(merged.changed == different.sorted())
        }
        state = merged.state
      }
    }
  }
}
