import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

/// Reads the conflicts of a history in a transaction.
struct HistoryReader {
  /// A conflict that the history shows, or two that were decided together.
  struct Finding {
    let conflicts: [Conflict]
    let parts: [HistoryPart]
    let label: LocalizedText
    let winning: HistoryValue
    let losing: HistoryValue
    let table: HistoryTable
    let rule: HistoryTable.Rule
  }

  let tables: [HistoryTable]
  let places: Set<HistoryPlace>?
  let context: HistoryContext

  private var replica: Replica { context.store.replica }
  private var reader: Reader { context.reader }

  /// The conflicts that the history shows, oldest first.
  func findings() throws -> [Finding] {
    guard try SyncedStore.isLinked(reader) else { return [] }
    let conflicts = try replica.conflicts(in: context.scope, reader).filter { conflict in
      conflict.losing != conflict.winning
        && places?.contains(HistoryPlace(of: conflict)) ?? true
    }
    return try conflicts.compactMap { try finding($0, among: conflicts) }
  }

  private func finding(_ conflict: Conflict, among all: [Conflict]) throws -> Finding? {
    let column = FieldName(conflict.field).column
    guard let table = tables.first(where: { $0.table == conflict.row.table }),
      let rule = table.rule(for: column),
      let index = rule.parts.firstIndex(where: { $0.column == column })
    else { return nil }
    if let whole = try together(rule, table, conflict, all) {
      // Both are shown at the place of the first.
      return index == 0 ? whole : nil
    }
    let part = rule.parts[index]
    guard let losing = try part.show(conflict.losing, conflict.winning, context),
      let winning = try conflict.winning.map({ try part.show($0, conflict.losing, context) })
        ?? .deleted
    else { return nil }
    return Finding(
      conflicts: [conflict], parts: [part], label: part.label, winning: winning, losing: losing,
      table: table, rule: rule)
  }

  /// The conflicts about two columns that were decided together, if these were.
  private func together(
    _ rule: HistoryTable.Rule, _ table: HistoryTable, _ conflict: Conflict, _ all: [Conflict]
  ) throws -> Finding? {
    guard let whole = rule.whole else { return nil }
    let both = rule.parts.compactMap { part in
      all.first {
        $0.row == conflict.row && $0.field == part.column && $0.losingStamp == conflict.losingStamp
          && $0.winningStamp == conflict.winningStamp && $0.winning != nil
      }
    }
    guard both.count == rule.parts.count else { return nil }
    let values = try zip(both, rule.parts).map { conflict, part in
      (
        losing: try part.show(conflict.losing, conflict.winning, context),
        winning: try part.show(conflict.winning ?? .null, conflict.losing, context)
      )
    }
    guard let losing = shown(whole, values.map(\.losing)),
      let winning = shown(whole, values.map(\.winning))
    else { return nil }
    return Finding(
      conflicts: both, parts: rule.parts, label: whole.label, winning: winning, losing: losing,
      table: table, rule: rule)
  }

  private func shown(_ whole: HistoryPart.Whole, _ values: [HistoryValue?]) -> HistoryValue? {
    guard values.count == 2, let first = values[0], let second = values[1] else { return nil }
    return whole.show(first, second)
  }

  // MARK: - Entries

  func entry(_ finding: Finding, on device: DeviceID) throws -> HistoryEntry {
    let first = finding.conflicts[0]
    func side(_ value: HistoryValue, _ stamp: Stamp) -> HistoryEntry.Side {
      HistoryEntry.Side(
        value, at: Date(milliseconds: stamp.milliseconds), isFromHere: stamp.device == device)
    }
    return HistoryEntry(
      id: finding.id, place: HistoryPlace(of: first), row: try row(of: finding),
      label: finding.label, winning: side(finding.winning, first.winningStamp),
      losing: side(finding.losing, first.losingStamp), reason: first.reason,
      areSame: try areSame(finding), isUsable: try isUsable(finding))
  }

  private func areSame(_ finding: Finding) throws -> Bool {
    try zip(finding.conflicts, finding.parts).allSatisfy { conflict, part in
      try conflict.winning.map { try part.isSame(conflict.losing, $0, context) } ?? false
    }
  }

  private func row(of finding: Finding) throws -> LocalizedText? {
    guard let name = finding.table.name else { return nil }
    let row = finding.conflicts[0].row
    let title =
      try context.store.title(of: row, reader) ?? finding.table.title(row.id, context)
    return title.map { .quoted($0) } ?? name
  }

  /// Whether a row does not have the losing values, and is valid with them.
  func isUsable(_ finding: Finding) throws -> Bool {
    let values = try finding.conflicts.map { try replica.currentValue(of: $0, reader) }
    let isSame = try zip(finding.conflicts, zip(finding.parts, values)).allSatisfy {
      conflict, current in
      try current.0.isSame(current.1 ?? .null, conflict.losing, context)
    }
    if isSame { return false }
    if values.contains(where: { $0 == nil }) { return finding.table.insert != nil }
    return try finding.rule.isAllowed(finding.conflicts[0].row.id, finding.conflicts, context)
  }
}

extension HistoryReader.Finding {
  /// An id that the conflicts have on every device.
  var id: HistoryEntry.ID {
    let names = conflicts.map { "\($0.row) \($0.field) \($0.losingStamp) \($0.winningStamp)" }
    return UUID(name: names.joined(separator: " "), in: Self.namespace)
  }

  private static let namespace = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

  /// Makes the losing values those of the row.
  /// - Throws: `AppError` with `sync(.conflict)` if there is no such row and it cannot be made;
  ///   `DatabaseError` if a constraint refuses a value.
  func use(_ replica: Replica, at now: Date, _ writer: Writer) throws {
    let row = conflicts[0].row
    if try replica.currentValue(of: conflicts[0], writer) == nil {
      try table.insert?(HistoryPlace(of: conflicts[0]), now, writer)
    }
    for conflict in conflicts {
      guard try replica.revert(conflict, writer) else { throw AppError.sync(.conflict) }
    }
    try table.follow(row.id, now, replica, writer)
  }
}
