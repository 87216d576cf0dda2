import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

/// A reader of the conflicts of a history, in one transaction.
struct HistoryReader {
  /// A conflict of the history, or two that were decided together and are shown as one.
  struct ConflictGroup {
    let conflicts: [Conflict]
    let columns: [HistoryColumn]
    let label: LocalizedText
    let winning: HistoryValue
    let losing: HistoryValue
    let table: HistoryTable
    let field: HistoryTable.Field
  }

  let tables: [HistoryTable]
  let places: Set<HistoryPlace>?
  let context: HistoryContext

  private var replica: Replica { context.store.replica }
  private var reader: Reader { context.reader }

  /// Returns the conflicts of the history, the oldest first.
  func conflictGroups() throws -> [ConflictGroup] {
    guard try SyncedStore.isLinked(reader) else { return [] }
    let conflicts = try replica.conflicts(in: context.scope, reader).filter { conflict in
      conflict.losing != conflict.winning
        && places?.contains(context.place(of: conflict)) ?? true
    }
    return try conflicts.compactMap { try group($0, among: conflicts) }
  }

  private func group(_ conflict: Conflict, among all: [Conflict]) throws -> ConflictGroup? {
    let column = context.column(of: conflict)
    guard let table = tables.first(where: { $0.table == context.place(of: conflict).table }),
      let field = table.field(for: column),
      let index = field.columns.firstIndex(where: { $0.column == column })
    else { return nil }
    if let combined = try combined(field, table, conflict, all) {
      // Combined conflicts are shown in place of the first one.
      return index == 0 ? combined : nil
    }
    let shownColumn = field.columns[index]
    guard let losing = try shownColumn.show(conflict.losing, conflict.winning, context),
      let winning = try conflict.winning.map({ try shownColumn.show($0, conflict.losing, context) })
        ?? .deleted
    else { return nil }
    return ConflictGroup(
      conflicts: [conflict], columns: [shownColumn], label: shownColumn.label, winning: winning,
      losing: losing,
      table: table, field: field)
  }

  /// Returns the combined conflicts of two columns, or `nil` if they were not decided together.
  private func combined(
    _ field: HistoryTable.Field, _ table: HistoryTable, _ conflict: Conflict, _ all: [Conflict]
  ) throws -> ConflictGroup? {
    guard let combination = field.combination else { return nil }
    let both = field.columns.compactMap { column in
      all.first {
        $0.row == conflict.row && context.column(of: $0) == column.column
          && FieldName($0.field).key == nil
          && $0.losingStamp == conflict.losingStamp
          && $0.winningStamp == conflict.winningStamp && $0.winning != nil
      }
    }
    guard both.count == field.columns.count else { return nil }
    let values = try zip(both, field.columns).map { conflict, column in
      (
        losing: try column.show(conflict.losing, conflict.winning, context),
        winning: try column.show(conflict.winning ?? .null, conflict.losing, context)
      )
    }
    guard let losing = shown(combination, values.map(\.losing)),
      let winning = shown(combination, values.map(\.winning))
    else { return nil }
    return ConflictGroup(
      conflicts: both, columns: field.columns, label: combination.label, winning: winning,
      losing: losing,
      table: table, field: field)
  }

  private func shown(_ combination: HistoryColumn.Combination, _ values: [HistoryValue?])
    -> HistoryValue?
  {
    guard values.count == 2, let first = values[0], let second = values[1] else { return nil }
    return combination.show(first, second)
  }

  // MARK: - Entries

  func entry(_ group: ConflictGroup, _ authors: HistoryAuthors) throws -> HistoryEntry {
    let first = group.conflicts[0]
    func side(_ value: HistoryValue, _ stamp: Stamp) -> HistoryEntry.Side {
      HistoryEntry.Side(
        value, at: Date(milliseconds: stamp.milliseconds), by: authors.author(of: stamp))
    }
    return HistoryEntry(
      id: group.id, place: context.place(of: first), row: try row(of: group),
      label: group.label, winning: side(group.winning, first.winningStamp),
      losing: side(group.losing, first.losingStamp), reason: first.reason,
      areEquivalent: try areEquivalent(group), decision: try decision(of: group, authors),
      choices: try choices(of: group))
  }

  private func areEquivalent(_ group: ConflictGroup) throws -> Bool {
    try zip(group.conflicts, group.columns).allSatisfy { conflict, column in
      try conflict.winning.map { try column.isSame(conflict.losing, $0, context) } ?? false
    }
  }

  func row(of group: ConflictGroup) throws -> LocalizedText? {
    guard let name = group.table.name else { return nil }
    let row = group.conflicts[0].row
    let title =
      try context.store.title(of: row, reader) ?? group.table.title(row.id, context)
    return title.map { .quoted($0) } ?? name
  }

  // MARK: - Decisions

  /// Returns whether the row lacks the given values and is valid with them.
  private func isUsable(_ conflicts: [Conflict], for group: ConflictGroup) throws -> Bool {
    let current = try conflicts.map { try replica.currentValue(of: $0, reader) }
    if try hasValues(conflicts.map(\.losing), group) { return false }
    if current.contains(where: { $0 == nil }) { return group.table.insert != nil }
    return try group.field.isAllowed(conflicts[0].row.id, conflicts, context)
  }

  private func hasValues(_ values: [WireValue], _ group: ConflictGroup) throws -> Bool {
    try zip(group.conflicts, zip(group.columns, values)).allSatisfy { conflict, wanted in
      let current = try replica.currentValue(of: conflict, reader) ?? .null
      return try wanted.0.isSame(current, wanted.1, context)
    }
  }

  /// Returns whether the row has the winning values, or is deleted if the deletion won.
  func isWinning(_ group: ConflictGroup) throws -> Bool {
    let values = group.conflicts.compactMap(\.winning)
    guard values.count == group.conflicts.count else {
      return try group.conflicts.allSatisfy { try replica.currentValue(of: $0, reader) == nil }
    }
    return try hasValues(values, group)
  }

  /// Returns whether the values differ and are undecided.
  func isOpen(_ group: ConflictGroup) throws -> Bool {
    guard try !areEquivalent(group), try isWinning(group), try laterStamp(group) == nil else {
      return false
    }
    return try keptDate(group) == nil
  }

  /// Returns the values that can be chosen.
  func choices(of group: ConflictGroup) throws -> Set<HistoryEntry.Choice> {
    guard try !areEquivalent(group) else { return [] }
    let choices = try HistoryEntry.Choice.allCases.filter { choice in
      try group.values(choice).map { try isUsable($0, for: group) } ?? false
    }
    return Set(choices).union(try isOpen(group) ? [.winning] : [])
  }

  private func decision(
    of group: ConflictGroup, _ authors: HistoryAuthors
  ) throws -> HistoryEntry.Decision? {
    if try isWinning(group) {
      return try decisionForWinning(group, authors)
    }
    let choice = try [HistoryEntry.Choice.losing, .both].first { choice in
      try group.values(choice).map { try hasValues($0.map(\.losing), group) } ?? false
    }
    guard let stamp = try laterStamp(group) else {
      // The edit is not sealed yet, so this device made it.
      let row = group.conflicts[0].row
      let date = try replica.outbox.changes(reader).last { $0.row == row }?.date
      return HistoryEntry.Decision(
        choice: choice, author: .thisDevice,
        date: date.map { Date(milliseconds: $0) } ?? context.store.now())
    }
    return HistoryEntry.Decision(
      choice: choice, author: authors.author(of: stamp),
      date: Date(milliseconds: stamp.milliseconds))
  }

  /// Returns the decision for the winning values: a later edit that restored them, or their
  /// confirmation on this device.
  private func decisionForWinning(
    _ group: ConflictGroup, _ authors: HistoryAuthors
  ) throws -> HistoryEntry.Decision? {
    if let stamp = try laterStamp(group) {
      return HistoryEntry.Decision(
        choice: .winning, author: authors.author(of: stamp),
        date: Date(milliseconds: stamp.milliseconds))
    }
    return try keptDate(group).map {
      HistoryEntry.Decision(choice: .winning, author: .thisDevice, date: $0)
    }
  }

  /// The date at which this device stored the decision to keep the values. A decision that is an
  /// edit, too, counts only until the edit is sealed, and then by its stamp: it may be cancelled or
  /// refused.
  private func keptDate(_ group: ConflictGroup) throws -> Date? {
    let date = try ConflictMemory(of: context.store).keptDate(of: group.id, reader)
    guard date != nil, replica.canRestate(group.conflicts) else { return date }
    return try replica.isRestated(group.conflicts[0].row, reader) ? date : nil
  }

  /// Returns the stamp of the latest edit of the fields since the conflict.
  private func laterStamp(_ group: ConflictGroup) throws -> Stamp? {
    try group.conflicts.compactMap { conflict in
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
    if stamp.device == device { return .thisDevice }
    return names[stamp.device].map { .member($0) } ?? .otherDevice
  }
}

extension HistoryReader.ConflictGroup {
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
    case .winning: values = conflicts.compactMap { $0.replacingLosingValue(with: $0.winning) }
    case .both:
      guard conflicts.count == 1 else { return nil }
      values = conflicts.compactMap {
        $0.replacingLosingValue(with: columns[0].joined($0.winning, $0.losing))
      }
    }
    return values.count == conflicts.count ? values : nil
  }

  /// Writes chosen values to the row.
  /// - Throws: `AppError` with `sync(.conflict)` if the row is missing and cannot be inserted;
  ///   `DatabaseError` if a constraint refuses a value.
  func write(_ values: [Conflict], _ replica: Replica, at now: Date, _ writer: Writer) throws {
    let row = conflicts[0].row
    if try replica.currentValue(of: conflicts[0], writer) == nil {
      let place = HistoryPlace(
        of: replica.schema.present(row), key: FieldName(conflicts[0].field).key)
      try table.insert?(place, now, writer)
    }
    for value in values {
      guard try replica.revert(value, writer) else { throw AppError.sync(.conflict) }
    }
    try table.updateDependants(row.id, now, replica, writer)
  }
}

extension Conflict {
  /// Returns the conflict with another value in place of the losing one, or `nil` without a value.
  fileprivate func replacingLosingValue(with value: WireValue?) -> Conflict? {
    value.map {
      Conflict(
        row: row, field: field, losing: $0, losingStamp: losingStamp, winning: winning,
        winningStamp: winningStamp, reason: reason)
    }
  }
}
