import OffshoreWire
import TestSupport

@testable import OffshoreServer

/// A generator of a device's edits, each of a different row, based on the rows that the device has.
struct RandomEdits {
  let list: String
  let rows: [RowID: SyncedRow]
  /// The stamp of all the edits.
  let stamp: Stamp

  func ops(_ random: inout SeededRandom) throws -> [Op] {
    guard let state = rows[Lists.list(list)]?.state, state.isLiving else {
      return [insertion(of: Lists.list(list))]
    }
    if random.number(below: 30) == 0 { return [op(.delete, Lists.list(list), state, [:])] }
    let ids = (0..<6).map { "t\($0)" }.shuffled(using: &random)
    return try ids.prefix(1 + random.number(below: 4)).map { try op(Lists.task($0), &random) }
  }

  private func insertion(of row: RowID) -> Op {
    let generation = rows[row].map { $0.state.generation + 1 } ?? 1
    let fields: [String: WireValue] =
      row.table == "lists"
      ? ["title": "a list"] : ["listID": WireValue(list), "title": "a task", "points": 0]
    return Op(
      .put, row, generation: generation, fields: fields, stamp: stamp)
  }

  private func op(_ row: RowID, _ random: inout SeededRandom) throws -> Op {
    guard let state = rows[row]?.state, state.isLiving else { return insertion(of: row) }
    let number = Int64(random.number(below: 24))
    switch number {
    case 0...3: return op(.delete, row, state, [:])
    case 4...6:
      let target = list == "1" ? "2" : "1"
      return op(.move(to: try Lists.scope(target)), row, state, ["listID": WireValue(target)])
    case 7...8: return op(.increment, row, state, ["points": .integer(number)])
    // An unknown column, so that some batches are refused and others depend on them.
    case 9: return op(.patch, row, state, ["color": 1])
    case 10...14: return op(.patch, row, state, ["after": WireValue("t\(random.number(below: 6))")])
    case 15...17:
      let photos = RunChecks.photos.map { WireValue.file($0) } + [.null, "https://example.com/a"]
      return op(.patch, row, state, ["photo": photos[random.number(below: photos.count)]])
    default: return op(.patch, row, state, ["title": WireValue("title \(number)")])
    }
  }

  private func op(
    _ kind: Op.Kind, _ row: RowID, _ state: RowState, _ fields: [String: WireValue]
  ) -> Op {
    let base = fields.keys.reduce(into: [String: Stamp]()) { $0[$1] = state.version(of: $1) }
    return Op(
      kind, row, generation: state.generation, fields: fields, base: base,
      stamp: stamp)
  }
}
