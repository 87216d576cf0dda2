package import Foundation
public import Offshore
public import OffshoreWire

/// The facts about conflicts that only this device stores: decisions to keep the winning value, and
/// the names of the members behind other devices.
///
/// A decision for another value needs no record: it is an edit, and reaches all devices. So is a
/// decision to keep the value that stayed, but other devices cannot tell it by the value; the
/// record is for this one until the edit has come back from the server, and for a deletion that
/// stayed or a value of a `set` or `keyed` column.
package struct ConflictMemory: Sendable {
  private static let keptPrefix = "kept."
  private static let namesPrefix = "memberNames."

  private let store: SyncedStore

  package init(of store: SyncedStore) { self.store = store }

  // MARK: - Decisions

  /// Returns the time at which the user decided to keep the winning value, or `nil` if the user has
  /// not.
  /// - Throws: `DatabaseError`.
  package func keptDate(of entry: UUID, _ reader: Reader) throws -> Date? {
    try Setting.value(Self.keptPrefix + entry.uuidString, reader).flatMap { Int64($0) }
      .map { Date(milliseconds: $0) }
  }

  /// Stores the time of a decision to keep the winning value, or removes the decision if the time
  /// is `nil`.
  /// - Throws: `DatabaseError`.
  package func keep(_ entry: UUID, at date: Date?, _ writer: Writer) throws {
    try Setting.set(
      Self.keptPrefix + entry.uuidString, to: date.map { "\($0.millisecondsSince1970)" }, writer)
  }

  // MARK: - Names

  /// Returns the names of members by their devices, as the server last reported them.
  /// - Throws: `DatabaseError`.
  package func names(in scope: ScopeID, _ reader: Reader) throws -> [DeviceID: String] {
    let text = try Setting.value(Self.namesPrefix + scope.text, reader) ?? "{}"
    let names = try? JSONDecoder().decode([String: String].self, from: Data(text.utf8))
    return (names ?? [:]).reduce(into: [:]) { names, entry in
      if let device = UUID(sent: entry.key) { names[DeviceID(device)] = entry.value }
    }
  }

  /// Stores the names of members by their devices. The names of former members are retained, until the
  /// account may not read the scope any more.
  /// - Throws: `DatabaseError`.
  package func setNames(of members: [ScopeMember], in scope: ScopeID) async throws {
    try await store.write { writer in
      // The answer may arrive after the pull by which access has ended.
      guard try store.replica.role(in: scope, writer) != .revoked else { return }
      let known = try names(in: scope, writer)
      var names = known
      for member in members {
        for device in member.devices { names[DeviceID(device)] = member.name }
      }
      guard names != known else { return }
      let texts = Dictionary(uniqueKeysWithValues: names.map { ($0.key.uuid.uuidString, $0.value) })
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      let text = String(decoding: try encoder.encode(texts), as: UTF8.self)
      try Setting.set(Self.namesPrefix + scope.text, to: text, writer)
    }
  }

  /// Deletes the names of the members of a scope.
  static func forgetNames(in scope: ScopeID, _ writer: Writer) throws {
    try Setting.set(namesPrefix + scope.text, to: nil, writer)
  }
}

extension Replica {
  /// Returns the conflicts of a row, the oldest first within each scope. They name its table and columns
  /// as messages do.
  /// - Throws: `DatabaseError`.
  public func conflicts(of row: RowID, _ reader: Reader) throws -> [Conflict] {
    let row = schema.sent(row)
    return try StoredConflict.where { $0.tableName == row.table && $0.id == row.id }
      .order { [$0.scope.ascending, $0.number.ascending] }.select { $0.conflict }.all(reader)
  }

  /// Writes the losing value of a conflict again, as a new edit of this device that has seen the
  /// winning value.
  /// - Returns: `false` if the row or the column does not exist, or if the column is a counter.
  /// - Throws: `DatabaseError` if a constraint refuses the value.
  @discardableResult
  public func revert(_ conflict: Conflict, _ writer: Writer) throws -> Bool {
    let field = FieldName(conflict.field)
    let visible = VisibleRows(schema: schema, writer: writer)
    guard let table = schema.present[conflict.row.table], let column = table[field.column],
      column.policy != .counter,
      let values = try visible.values(of: conflict.row, in: table),
      let current = values[column.name]
    else { return false }
    var fields = column.fields(of: current)
    fields[conflict.field] = conflict.losing
    try visible.write(fields, of: conflict.row, in: table)
    try derivations.run(for: [conflict.row], writer)
    return true
  }

  /// Writes the winning values of conflicts again, as an edit of this device, so that other devices
  /// learn that the user chose them.
  ///
  /// - Parameter conflicts: conflicts about one row, which has their winning values.
  /// - Returns: `false` if an edit cannot express it: the row or a column is missing, or a column
  ///   names the scope or is merged by `set`, `keyed` or `counter`.
  /// - Throws: `DatabaseError`.
  package func restate(_ conflicts: [Conflict], _ writer: Writer) throws -> Bool {
    guard let row = conflicts.first?.row, canRestate(conflicts) else { return false }
    return try outbox.restate(Set(conflicts.map { FieldName($0.field).column }), of: row, writer)
  }

  /// Returns whether an edit of ``restate(_:_:)`` is captured for a row and not sealed yet.
  /// - Throws: `DatabaseError`; ``ReplicaError``.
  package func isRestated(_ row: RowID, _ reader: Reader) throws -> Bool {
    guard let number = try CaptureLayout(reader).number(of: row.table) else { return false }
    return try JournalRow.of(WireValue(row.id), table: number).where { $0.kind == .restatement }
      .exists(reader)
  }

  /// Returns whether ``restate(_:_:)`` can express a decision about conflicts if their row exists.
  package func canRestate(_ conflicts: [Conflict]) -> Bool {
    conflicts.allSatisfy { conflict in
      guard let table = schema.present[conflict.row.table],
        let column = table[FieldName(conflict.field).column], column.name != table.scopeColumn
      else { return false }
      return !column.policy.isCompound && column.policy != .counter
    }
  }
}

// MARK: - Values of conflicts

extension Replica {
  /// Returns the current value of a conflict's field.
  /// - Returns: NULL if the column has no such key, `nil` if the row or the column does not exist.
  /// - Throws: `DatabaseError`.
  package func currentValue(of conflict: Conflict, _ reader: Reader) throws -> WireValue? {
    let name = FieldName(conflict.field).column
    guard let table = schema[conflict.row.table],
      let column = schema.present[conflict.row.table]?[name]
    else { return nil }
    let value = try SQL(
      """
      SELECT \(identifier: column.presentName) FROM \(identifier: table.name)
      WHERE \(identifier: table.idColumn) = \(conflict.row.id)
      """
    ).first(reader, as: StoredValue.self)
    return value.map { column.fields(of: $0.value)[conflict.field] ?? .null }
  }

  /// Returns a row with the losing values of conflicts in place of the current ones.
  /// - Parameter conflicts: conflicts about whole columns of the row.
  /// - Returns: `nil` if the row does not exist.
  /// - Throws: `DatabaseError`: `invalidValue` if a value does not fit its column.
  package func row<Row: Record>(
    _ type: Row.Type, id: String, reverting conflicts: [Conflict] = [], _ reader: Reader
  ) throws -> Row? {
    guard let table = schema[type.table.name] else { return nil }
    let values = Dictionary(
      conflicts.map { ($0.field, StoredValue(value: $0.losing)) }, uniquingKeysWith: { $1 })
    let columns = type.table.columns.map { column -> SQL in
      guard let value = values[table.sentName(of: column.name)] else {
        return "\(identifier: column.name)"
      }
      return "\(value) AS \(identifier: column.name)"
    }
    let list = columns.dropFirst().reduce(columns[0]) { "\($0), \($1)" }
    return try SQL(
      """
      SELECT \(list) FROM \(identifier: table.name) WHERE \(identifier: table.idColumn) = \(id)
      """
    ).first(reader, as: type)
  }
}

extension WireValue {
  /// Decodes the value as the column of a property does.
  /// - Returns: `nil` if the value does not fit the column.
  /// - Throws: `DatabaseError`.
  package func read<Row: Record, Value>(
    as property: KeyPath<Row, Value>, _ reader: Reader
  ) throws -> Value? {
    do {
      return try SQL("SELECT \(StoredValue(value: self))").first(reader, as: property)
    } catch let error as DatabaseError where error.code == .invalidValue {
      return nil
    }
  }
}
