import TestSupport
import Testing

@testable import OffshoreWire

/// The merge of concurrent edits, compared with a simple model of each policy.
struct MergeReferenceTests {
  /// An edit of a field by a device that knew only the start.
  private struct Edit {
    let stamp: Stamp
    let value: WireValue
  }

  private let fixture: MergeFixture
  private static let start: Stamp = .at(1, by: 99)

  init() throws { fixture = try MergeFixture() }

  /// Returns concurrent edits of six devices, each at a different time.
  private func edits(
    _ random: inout SeededRandom, _ value: (inout SeededRandom) -> WireValue
  ) -> [Edit] {
    var times = Array(2..<40 as Range<Int64>)
    times.shuffle(using: &random)
    return (0..<6).map { device in
      Edit(stamp: .at(times[device], by: UInt64(device + 1)), value: value(&random))
    }
  }

  /// Returns the value after the edits have arrived in their order.
  private func merged(
    _ field: String, from start: WireValue, _ edits: [Edit], _ kind: Op.Kind = .patch
  ) throws -> WireValue? {
    let state = RowState(stamp: Self.start, fields: [field: start])
    let ops = edits.map { edit in
      Op(
        kind, Fleet.charter, fields: [field: edit.value], base: [field: Self.start],
        stamp: edit.stamp)
    }
    return try fixture.state(after: ops, from: state).fields[field]
  }

  private func number(_ random: inout SeededRandom) -> WireValue {
    .integer(Int64(random.number(below: 20)))
  }

  @Test func `The last writer's value is that of the latest stamp`() throws {
    var random = SeededRandom(seed: 40)
    for _ in 0..<100 {
      let edits = edits(&random, number)
      let latest = edits.max { $0.stamp < $1.stamp }
      #expect(try merged("anything", from: 0, edits) == latest?.value)
    }
  }

  @Test func `In server order the value is that of the last to arrive`() throws {
    var random = SeededRandom(seed: 41)
    for _ in 0..<50 {
      let edits = edits(&random) { .real(Double($0.number(below: 20))) }
      #expect(try merged("price", from: 0.0, edits) == edits.last?.value)
    }
  }

  @Test func `The greatest and the least are those of all values, including the first`() throws {
    var random = SeededRandom(seed: 42)
    for _ in 0..<50 {
      let edits = edits(&random, number)
      let values = edits.map(\.value) + [10]
      let sorted = values.sorted { $0.isOrdered(before: $1) }
      #expect(try merged("deepest", from: 10, edits) == sorted.last)
      #expect(try merged("earliest", from: 10, edits) == sorted.first)
    }
  }

  @Test func `A counter is the sum`() throws {
    var random = SeededRandom(seed: 43)
    for _ in 0..<50 {
      let edits = edits(&random, number)
      let sum = edits.reduce(100 as Int64) { sum, edit in
        if case .integer(let delta) = edit.value { sum + delta } else { sum }
      }
      #expect(try merged("miles", from: 100, edits, .increment) == .integer(sum))
    }
  }

  @Test func `A state is the furthest of all`() throws {
    let states = ["draft", "booked", "over"]
    var random = SeededRandom(seed: 44)
    for _ in 0..<50 {
      let edits = edits(&random) { WireValue(states[$0.number(below: 3)]) }
      let furthest = edits.compactMap { edit in edit.value.string.flatMap(states.firstIndex) }.max()
      let expected = furthest.map { WireValue(states[$0]) }
      #expect(try merged("state", from: "draft", edits) == expected)
    }
  }

  @Test func `A member is present if its last writer added it`() throws {
    var random = SeededRandom(seed: 45)
    let tags = try #require(Fleet.charters["tags"])
    for _ in 0..<50 {
      let edits = (0..<3).map { _ in
        self.edits(&random) { $0.number(below: 2) == 0 ? WireValue.null : 1 }
      }
      let start = RowState(stamp: Self.start, fields: tags.fields(of: "[0,1,2]"))
      let ops = (0..<6).flatMap { device in
        (0..<3).map { member in
          let edit = edits[member][device]
          return Op(
            .patch, Fleet.charter, fields: ["tags.\(member)": edit.value], stamp: edit.stamp)
        }
      }
      let there = (0..<3).filter { member in
        edits[member].max { $0.stamp < $1.stamp }?.value == 1
      }
      let end = try fixture.state(after: ops, from: start)
      let text = there.map(String.init).joined(separator: ",")
      #expect(tags.value(of: end.fields) == WireValue("[\(text)]"))
    }
  }

  @Test func `An object has each key as its last writer left it`() throws {
    var random = SeededRandom(seed: 46)
    let items = try #require(Fleet.charters["items"])
    for _ in 0..<50 {
      var texts: [[String: Int]] = []
      var ops: [Op] = []
      for (device, edit) in edits(&random, { _ in .null }).enumerated() {
        // Each device changes one key of the object that it knows.
        let key = "k\(random.number(below: 3))"
        let object = ["k0": 0, "k1": 0, "k2": 0].merging([key: device + 1]) { $1 }
        texts.append([key: device + 1])
        let changes = items.changes(
          from: Self.text(["k0": 0, "k1": 0, "k2": 0]), to: Self.text(object))
        #expect(changes.count == 1)
        ops.append(Op(.patch, Fleet.charter, fields: changes, stamp: edit.stamp))
      }
      let start = RowState(
        stamp: Self.start, fields: items.fields(of: Self.text(["k0": 0, "k1": 0, "k2": 0])))
      let byTime = zip(ops, texts).sorted { $0.0.stamp < $1.0.stamp }.map(\.1)
      let expected = byTime.reduce(["k0": 0, "k1": 0, "k2": 0]) { $0.merging($1) { $1 } }
      let end = try fixture.state(after: ops, from: start)
      #expect(items.value(of: end.fields) == Self.text(expected))
    }
  }

  /// Returns an object as JSON, with sorted keys.
  private static func text(_ object: [String: Int]) -> WireValue {
    let entries = object.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
    return WireValue("{\(entries.joined(separator: ","))}")
  }

  @Test func `Every written value that was replaced is a conflict, and no other`() throws {
    var random = SeededRandom(seed: 47)
    for _ in 0..<50 {
      var state = RowState(stamp: Self.start, fields: ["name": "start"])
      var losing: [WireValue] = []
      let edits = edits(&random) { WireValue("name \($0.number(below: 1_000_000))") }
      for edit in edits {
        let op = Op(
          .patch, Fleet.charter, fields: ["name": edit.value], base: ["name": Self.start],
          stamp: edit.stamp)
        let merged = try fixture.merged(op, into: state)
        losing += merged.conflicts.map(\.losing)
        state = merged.state
      }
      // The first edit saw the start, which is therefore not a losing value.
      let expected = edits.map(\.value).filter { $0 != state.fields["name"] }
      #expect(Set(losing) == Set(expected))
    }
  }
}
