import TestSupport
import Testing

@testable import OffshoreWire

/// Devices and a server that exchange messages over a network that loses and repeats them.
///
/// Clocks are wrong by up to a day. Edits are made while messages are in transit, pages are small,
/// and tombstones are collected while devices are behind.
struct ReplicaTests {
  private struct World {
    var random: SeededRandom
    var server: ModelServer
    var devices: [ModelDevice]
    var now: Int64 = 1_000_000_000
    /// Push requests that have arrived once and may arrive again.
    var late: [[UInt8]] = []
    /// The generation of each row on the server. It never decreases while the row's tombstone
    /// exists.
    var generations: [RowID: Int64] = [:]
    /// The rows whose tombstones the server has collected at some time.
    var collected: Set<RowID> = []
    /// Whether tombstones are collected as early as possible.
    var isForgetful = false

    init(seed: UInt64) throws {
      random = SeededRandom(seed: seed)
      let scope = try ScopeID("charter/7")
      server = try ModelServer(scope)
      let day: Int64 = 86_400_000
      devices = []
      for number in 1...4 as ClosedRange<UInt64> {
        let skew = Int64.random(in: -day...day, using: &random)
        devices.append(try ModelDevice(number, scope, skew: skew))
      }
    }
  }

  // MARK: - Steps

  private func edit(_ number: Int, _ world: inout World) {
    let rows = (0..<(1 + world.random.number(below: 2))).map { _ in randomRow(&world.random) }
    var random = world.random
    let edits = rows.map { row in
      { (state: RowState?, stamp: Stamp) in Self.op(row, state, stamp, &random) }
    }
    world.devices[number].edit(at: world.now, edits, of: rows)
    world.random = random
  }

  private func randomRow(_ random: inout SeededRandom) -> RowID {
    random.number(below: 2) == 0
      ? Fleet.charter : RowID(table: "messages", id: "m\(random.number(below: 4))")
  }

  private static func op(
    _ row: RowID, _ state: RowState?, _ stamp: Stamp, _ random: inout SeededRandom
  ) -> Op? {
    guard let state, state.isLiving else {
      let generation = state.map { $0.generation + 1 } ?? 1
      let fields: [String: WireValue] =
        row.table == "charters"
        ? ["name": "Sea Breeze", "miles": 0]
        : ["charterID": "7", "body": "hello", "likes": 0]
      return Op(.put, row, generation: generation, fields: fields, stamp: stamp)
    }
    let number = Int64(random.number(below: 10))
    if row.table == "charters" {
      if number < 3 { return increment(row, "miles", number + 1, state, stamp) }
      return patch(row, charterEdit(number, &random), state, stamp)
    }
    switch number {
    case 0: return Op(.delete, row, generation: state.generation, stamp: stamp)
    case 1...4: return increment(row, "likes", number, state, stamp)
    default: return patch(row, ["body": WireValue("text \(number)")], state, stamp)
    }
  }

  private static func charterEdit(
    _ number: Int64, _ random: inout SeededRandom
  ) -> [String: WireValue] {
    switch random.number(below: 6) {
    case 0: ["name": WireValue("name \(number)"), "note": WireValue("note \(number)")]
    case 1: ["deepest": .integer(number), "earliest": .integer(number)]
    case 2: ["tags.\"\(number % 3)\"": number < 5 ? .null : 1]
    case 3: ["items.\(number % 3)": number < 5 ? .null : WireValue("\(number)")]
    case 4: ["state": WireValue(["draft", "booked", "over"][Int(number % 3)]), "price": 1.5]
    default: ["log": WireValue(String(repeating: "x", count: Int(number)))]
    }
  }

  private static func increment(
    _ row: RowID, _ field: String, _ delta: Int64, _ state: RowState, _ stamp: Stamp
  ) -> Op {
    Op(
      .increment, row, generation: state.generation, fields: [field: .integer(delta)], stamp: stamp)
  }

  private static func patch(
    _ row: RowID, _ fields: [String: WireValue], _ state: RowState, _ stamp: Stamp
  ) -> Op {
    let base = fields.keys.reduce(into: [String: Stamp]()) { $0[$1] = state.version(of: $1) }
    return Op(
      .patch, row, generation: state.generation, fields: fields, base: base, stamp: stamp)
  }

  private func push(_ number: Int, isReliable: Bool = false, _ world: inout World) throws {
    guard let body = world.devices[number].pushBody() else { return }
    if !isReliable, world.random.number(below: 5) == 0 { return }
    let sent = world.now
    let answer = try world.server.push(body, at: world.now)
    world.late.append(body)
    world.now += 20
    if !isReliable, world.random.number(below: 4) == 0 { return }
    try world.devices[number].pushed(answer, sent: sent, received: world.now)
  }

  private func pull(_ number: Int, limit: Int, _ world: inout World) throws -> Bool {
    let sent = world.now
    let answer = try world.server.pull(
      world.devices[number].pullBody(limit: limit), at: world.now)
    world.now += 20
    let digest = try world.devices[number].pulled(answer, sent: sent, received: world.now)
    if let digest { #expect(world.devices[number].digest == digest) }
    return digest != nil
  }

  private func collect(_ world: inout World) {
    let before = Set(world.server.rows.keys)
    world.server.collect(upTo: world.isForgetful ? world.server.head : world.server.head / 2)
    world.collected.formUnion(before.subtracting(world.server.rows.keys))
    world.generations = world.generations.filter { world.server.rows[$0.key] != nil }
  }

  private func step(_ world: inout World) throws {
    world.now += Int64(world.random.number(below: 50))
    let number = world.random.number(below: world.devices.count)
    switch world.random.number(below: 12) {
    case 0...4: edit(number, &world)
    case 5...6: try push(number, &world)
    case 7:
      // A request that arrives again, long after it was answered, changes nothing.
      if let body = world.late.randomElement(using: &world.random) {
        let before = world.server.head
        _ = try world.server.push(body, at: world.now)
        #expect(world.server.head == before)
      }
    case 8 where world.isForgetful || world.random.number(below: 8) == 0: collect(&world)
    default: _ = try pull(number, limit: 1 + world.random.number(below: 4), &world)
    }
    for (row, synced) in world.server.rows {
      #expect(synced.state.generation >= world.generations[row] ?? 0)
      world.generations[row] = synced.state.generation
    }
  }

  private func settle(_ world: inout World) throws {
    for number in world.devices.indices { try push(number, isReliable: true, &world) }
    for number in world.devices.indices {
      while try !pull(number, limit: 3, &world) {}
      #expect(world.devices[number].pending.isEmpty)
    }
  }

  private func run(seed: UInt64, steps: Int) throws -> World {
    var world = try World(seed: seed)
    for _ in 0..<steps { try step(&world) }
    try settle(&world)
    return world
  }

  // MARK: - Invariants

  @Test(arguments: 0..<12)
  func `All devices have the server's rows once everything has arrived`(seed: UInt64) throws {
    let world = try run(seed: seed, steps: 250)
    let rows = world.server.rows.filter { $0.value.state.isLiving }
    #expect(!rows.isEmpty)
    for device in world.devices {
      #expect(device.confirmed.filter { $0.value.state.isLiving } == rows)
      #expect(device.digest == world.server.digest)
    }
  }

  @Test(arguments: 0..<12)
  func `Each increment counts once, whatever was lost or repeated`(seed: UInt64) throws {
    let world = try run(seed: 100 + seed, steps: 200)
    let ops = world.devices.flatMap(\.applied).flatMap(\.ops)
    let sum = ops.filter { $0.row == Fleet.charter && $0.kind == .increment }
      .compactMap { $0.fields["miles"] }
      .reduce(0 as Int64) { sum, value in
        if case .integer(let delta) = value { sum + delta } else { sum }
      }
    #expect(world.server.rows[Fleet.charter]?.state.fields["miles"] == .integer(sum))
  }

  @Test func `Only edits of rows with collected tombstones are rejected`() throws {
    var rejected: [Op] = []
    for seed in 200..<206 as Range<UInt64> {
      var world = try World(seed: seed)
      world.isForgetful = true
      for _ in 0..<200 { try step(&world) }
      try settle(&world)
      for batch in world.devices.flatMap(\.dead) {
        #expect(batch.ops.contains { world.collected.contains($0.row) })
        rejected += batch.ops
      }
      #expect(world.devices.allSatisfy { $0.digest == world.server.digest })
    }
    #expect(!rejected.isEmpty)
  }

  @Test func `The same seed gives the same run`() throws {
    let (first, second) = (try run(seed: 7, steps: 120), try run(seed: 7, steps: 120))
    #expect(first.server.rows == second.server.rows)
    #expect(first.server.conflicts == second.server.conflicts)
    #expect(first.server.head == second.server.head)
    #expect(first.random.peek() == second.random.peek())
  }

  @Test func `A device shows its own edits before they are sent`() throws {
    var world = try World(seed: 8)
    let row = Fleet.charter
    for (number, name) in ["first", "second", "third"].enumerated() {
      let edit = { (state: RowState?, stamp: Stamp) -> Op? in
        Op(number == 0 ? .put : .patch, row, fields: ["name": WireValue(name)], stamp: stamp)
      }
      world.devices[0].edit(at: world.now, [edit], of: [row])
      #expect(world.devices[0].visible(row)?.fields["name"] == WireValue(name))
    }
    #expect(world.server.rows.isEmpty)
    try settle(&world)
    #expect(world.devices[1].visible(row)?.fields["name"] == "third")
  }

  @Test func `A batch from a copy of a device's file is answered as forked`() throws {
    var world = try World(seed: 9)
    var copy = world.devices[0]
    for (number, name) in ["original", "copy"].enumerated() {
      let edit = { (state: RowState?, stamp: Stamp) -> Op? in
        Op(.put, Fleet.charter, fields: ["name": WireValue(name)], stamp: stamp)
      }
      if number == 0 {
        world.devices[0].edit(at: world.now, [edit], of: [Fleet.charter])
      } else {
        copy.edit(at: world.now, [edit], of: [Fleet.charter])
      }
    }
    try push(0, isReliable: true, &world)
    let body = try #require(copy.pushBody())
    let answer = try PushResponse(body: try world.server.push(body, at: world.now))
    #expect(answer.results.map(\.outcome) == [.forked])
  }

  @Test func `A batch without its predecessor is answered with the expected number`() throws {
    var world = try World(seed: 10)
    let edit = { (state: RowState?, stamp: Stamp) -> Op? in
      Op(state == nil ? .put : .patch, Fleet.charter, fields: ["name": "a"], stamp: stamp)
    }
    for _ in 0..<2 { world.devices[0].edit(at: world.now, [edit], of: [Fleet.charter]) }
    let second = try #require(world.devices[0].pending.last).batch
    let request = PushRequest(
      device: world.devices[0].id, epoch: 1, manifestVersion: 1, batches: [second])
    let answer = try PushResponse(body: try world.server.push(request.body, at: world.now))
    #expect(answer.results.map(\.outcome) == [.gap(expected: 1)])
  }
}
