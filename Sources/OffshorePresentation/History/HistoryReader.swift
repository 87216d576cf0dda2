import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

/// A reader of a history's conflicts in one transaction.
struct HistoryReader {
  /// A conflict in the history, or two that were decided together.
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

  /// Returns the conflicts in the history, the oldest first.
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
      // Combined conflicts are shown in place of the first one.
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

  /// Returns the combined conflicts of two columns, or `nil` if they were not decided together.
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

  func entry(_ finding: Finding, _ authors: HistoryAuthors) throws -> HistoryEntry {
    let first = finding.conflicts[0]
    func side(_ value: HistoryValue, _ stamp: Stamp) -> HistoryEntry.Side {
      HistoryEntry.Side(
        value, at: Date(milliseconds: stamp.milliseconds), by: authors.author(of: stamp))
    }
    return HistoryEntry(
      id: finding.id, place: HistoryPlace(of: first), row: try row(of: finding),
      label: finding.label, winning: side(finding.winning, first.winningStamp),
      losing: side(finding.losing, first.losingStamp), reason: first.reason,
      areSame: try areSame(finding), decision: try decision(of: finding, authors),
      choices: try choices(of: finding))
  }

  private func areSame(_ finding: Finding) throws -> Bool {
    try zip(finding.conflicts, finding.parts).allSatisfy { conflict, part in
      try conflict.winning.map { try part.isSame(conflict.losing, $0, context) } ?? false
    }
  }

  func row(of finding: Finding) throws -> LocalizedText? {
    guard let name = finding.table.name else { return nil }
    let row = finding.conflicts[0].row
    let title =
      try context.store.title(of: row, reader) ?? finding.table.title(row.id, context)
    return title.map { .quoted($0) } ?? name
  }

  // MARK: - Decisions

  /// Returns whether the row lacks the given values and is valid with them.
  private func isUsable(_ conflicts: [Conflict], for finding: Finding) throws -> Bool {
    let current = try conflicts.map { try replica.currentValue(of: $0, reader) }
    if try hasValues(conflicts.map(\.losing), finding) { return false }
    if current.contains(where: { $0 == nil }) { return finding.table.insert != nil }
    return try finding.rule.isAllowed(conflicts[0].row.id, conflicts, context)
  }

  private func hasValues(_ values: [WireValue], _ finding: Finding) throws -> Bool {
    try zip(finding.conflicts, zip(finding.parts, values)).allSatisfy { conflict, wanted in
      let current = try replica.currentValue(of: conflict, reader) ?? .null
      return try wanted.0.isSame(current, wanted.1, context)
    }
  }

  /// Returns whether the row has the winning values, or is deleted if the deletion won.
  func isWinning(_ finding: Finding) throws -> Bool {
    let values = finding.conflicts.compactMap(\.winning)
    guard values.count == finding.conflicts.count else {
      return try finding.conflicts.allSatisfy { try replica.currentValue(of: $0, reader) == nil }
    }
    return try hasValues(values, finding)
  }

  /// Returns whether the values differ and are undecided.
  func isOpen(_ finding: Finding) throws -> Bool {
    guard try !areSame(finding), try isWinning(finding), try laterStamp(finding) == nil else {
      return false
    }
    return try keptDate(finding) == nil
  }

  /// Returns the values that can be chosen.
  func choices(of finding: Finding) throws -> Set<HistoryEntry.Choice> {
    guard try !areSame(finding) else { return [] }
    let choices = try HistoryEntry.Choice.allCases.filter { choice in
      try finding.values(choice).map { try isUsable($0, for: finding) } ?? false
    }
    return Set(choices).union(try isOpen(finding) ? [.winning] : [])
  }

  private func decision(
    of finding: Finding, _ authors: HistoryAuthors
  ) throws -> HistoryEntry.Decision? {
    if try isWinning(finding) {
      return try decisionToKeep(finding, authors)
    }
    let choice = try [HistoryEntry.Choice.losing, .both].first { choice in
      try finding.values(choice).map { try hasValues($0.map(\.losing), finding) } ?? false
    }
    guard let stamp = try laterStamp(finding) else {
      // The edit is not sealed yet, so this device made it.
      let row = finding.conflicts[0].row
      let date = try replica.outbox.changes(reader).last { $0.row == row }?.date
      return HistoryEntry.Decision(
        choice: choice, author: .here,
        date: date.map { Date(milliseconds: $0) } ?? context.store.now())
    }
    return HistoryEntry.Decision(
      choice: choice, author: authors.author(of: stamp),
      date: Date(milliseconds: stamp.milliseconds))
  }

  /// Returns the decision for the winning values: a later edit that restored them, or their
  /// confirmation on this device.
  private func decisionToKeep(
    _ finding: Finding, _ authors: HistoryAuthors
  ) throws -> HistoryEntry.Decision? {
    if let stamp = try laterStamp(finding) {
      return HistoryEntry.Decision(
        choice: .winning, author: authors.author(of: stamp),
        date: Date(milliseconds: stamp.milliseconds))
    }
    return try keptDate(finding).map {
      HistoryEntry.Decision(choice: .winning, author: .here, date: $0)
    }
  }

  /// The date at which this device stored the decision to keep the values. A decision that is an edit, too, counts
  /// only until the edit is sealed, and then by its stamp: it may be cancelled or refused.
  private func keptDate(_ finding: Finding) throws -> Date? {
    let date = try ConflictMemory(of: context.store).keptDate(of: finding.id, reader)
    guard date != nil, replica.canRestate(finding.conflicts) else { return date }
    return try replica.isRestated(finding.conflicts[0].row, reader) ? date : nil
  }

  /// Returns the stamp of the latest edit of the fields since the conflict.
  private func laterStamp(_ finding: Finding) throws -> Stamp? {
    try finding.conflicts.compactMap { conflict in
      let stamp = try replica.currentStamp(of: conflict, in: context.scope, reader)
      return stamp.flatMap { $0 > conflict.winningStamp ? $0 : nil }
    }.max()
  }
}

/// The authors of edits, identified by their devices.
struct HistoryAuthors {
  /// This device.
  let device: DeviceID
  /// The names of members by device.
  let names: [DeviceID: String]

  func author(of stamp: Stamp) -> HistoryEntry.Author {
    if stamp.device == device { return .here }
    return names[stamp.device].map { .member($0) } ?? .elsewhere
  }
}

extension HistoryReader.Finding {
  /// The id of the conflicts, which is the same on every device.
  var id: HistoryEntry.ID {
    let names = conflicts.map { "\($0.row) \($0.field) \($0.losingStamp) \($0.winningStamp)" }
    return UUID(name: names.joined(separator: " "), in: Self.namespace)
  }

  private static let namespace = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

  /// Returns the conflicts with the chosen values in place of the losing ones, or `nil` if the
  /// choice is not possible.
  func values(_ choice: HistoryEntry.Choice) -> [Conflict]? {
    let values: [Conflict]
    switch choice {
    case .losing: return conflicts
    case .winning: values = conflicts.compactMap { $0.with($0.winning) }
    case .both:
      guard conflicts.count == 1 else { return nil }
      values = conflicts.compactMap { $0.with(parts[0].joined($0.winning, $0.losing)) }
    }
    return values.count == conflicts.count ? values : nil
  }

  /// Writes chosen values to the row.
  /// - Throws: `AppError` with `sync(.conflict)` if the row is missing and cannot be inserted;
  ///   `DatabaseError` if a constraint refuses a value.
  func use(_ values: [Conflict], _ replica: Replica, at now: Date, _ writer: Writer) throws {
    let row = conflicts[0].row
    if try replica.currentValue(of: conflicts[0], writer) == nil {
      try table.insert?(HistoryPlace(of: conflicts[0]), now, writer)
    }
    for value in values {
      guard try replica.revert(value, writer) else { throw AppError.sync(.conflict) }
    }
    try table.follow(row.id, now, replica, writer)
  }
}

extension Conflict {
  /// Returns the conflict with another value in place of the losing one, or `nil` without a value.
  fileprivate func with(_ value: WireValue?) -> Conflict? {
    value.map {
      Conflict(
        row: row, field: field, losing: $0, losingStamp: losingStamp, winning: winning,
        winningStamp: winningStamp, reason: reason)
    }
  }
}
