public import Foundation
public import Offshore
import OffshoreSync
public import OffshoreWire

/// A field of a synced table in a history: its label, and the presentation of its values.
///
/// ```swift
/// HistoryTable(
///   PackingList.self,
///   fields: [
///     .text(\.title, label: .title),
///     .value(\.departure, label: .departure) { day, _ in .days(day, day) },
///     .check(\.isPublic, label: .access, on: .public, off: .private),
///     .value(\.budget, label: .budget) { budget, _ in
///       budget.map { .amount($0.amount, currencyCode: $0.currency) } ?? .missing
///     },
///   ])
/// ```
///
/// The codec of the column decodes stored values. A value that does not fit the column is not
/// shown.
public struct HistoryField<Row: Record>: Sendable {
  let columns: [HistoryColumn]
  private(set) var combination: HistoryColumn.Combination?
  private(set) var isAllowed: Check?

  typealias Check = @Sendable (Row, HistoryContext) throws -> Bool

  private init(_ column: HistoryColumn) { columns = [column] }

  private init(_ columns: [HistoryColumn], _ combination: HistoryColumn.Combination) {
    self.columns = columns
    self.combination = combination
  }
}

/// A transaction in which a history is read.
public struct HistoryContext {
  /// The scope of the history.
  public let scope: ScopeID
  /// The reader of the file.
  public let reader: Reader
  let store: SyncedStore

  /// Returns the title of a row, or `nil` if it has none or is not on this device.
  /// - Throws: `DatabaseError`.
  public func title<Row: Record>(of type: Row.Type, _ id: UUID) throws -> String? {
    try store.title(of: RowID(table: type.table.name, id: id.uuidString), reader)
  }

  /// Returns the place of a conflict, which names its table as messages do.
  func place(of conflict: Conflict) -> HistoryPlace {
    HistoryPlace(
      of: store.replica.schema.present(conflict.row), key: FieldName(conflict.field).key)
  }

  /// Returns the column of a conflict.
  func column(of conflict: Conflict) -> String {
    let field = store.replica.schema.presentField(conflict.field, of: conflict.row.table)
    return FieldName(field).column
  }
}

/// The type-erased presentation of the values of one column.
struct HistoryColumn: Sendable {
  /// The label of two columns that were decided together, and a function that combines their
  /// values; `nil` if they cannot be combined.
  typealias Combination = (
    label: LocalizedText, show: @Sendable (HistoryValue, HistoryValue) -> HistoryValue?
  )

  let column: String
  let label: LocalizedText
  /// Returns the presentation of a value next to the other one, or `nil` if the value cannot be
  /// decoded.
  let show: @Sendable (WireValue, _ other: WireValue?, HistoryContext) throws -> HistoryValue?
  /// Returns whether two values are equivalent.
  let isSame: @Sendable (WireValue, WireValue, HistoryContext) throws -> Bool
  /// The separator between two texts that are joined; `nil` if only one can be chosen.
  private(set) var separator: String?

  init<Value: Equatable & Sendable>(
    _ column: String, _ label: LocalizedText,
    read: @escaping @Sendable (WireValue, HistoryContext) throws -> Value?,
    show: @escaping @Sendable (Value, Value?, HistoryContext) throws -> HistoryValue?
  ) {
    self.column = column
    self.label = label
    self.show = { value, other, context in
      guard let value = try read(value, context) else { return nil }
      return try show(value, try other.flatMap { try read($0, context) }, context)
    }
    isSame = { try $0 == $1 || read($0, $2) == read($1, $2) }
  }

  func joined(by separator: String?) -> HistoryColumn {
    var column = self
    column.separator = separator
    return column
  }

  /// Returns both texts, joined, or `nil` if they cannot be joined.
  func joined(_ first: WireValue?, _ second: WireValue) -> WireValue? {
    guard let separator, let first = first?.string, let second = second.string else { return nil }
    return WireValue(first + separator + second)
  }
}

// MARK: - Values of any type

extension HistoryField {
  /// Returns a field with values of any type.
  /// - Parameter show: returns the presentation of a value, or `nil` to leave the conflict out.
  public static func value<Value: Equatable & Sendable>(
    _ property: any KeyPath<Row, Value> & Sendable, label: LocalizedText,
    show: @escaping @Sendable (Value, HistoryContext) throws -> HistoryValue?
  ) -> HistoryField {
    field(property, label) { value, _, context in try show(value, context) }
  }

  /// Returns a field with collections. A value is shown as the number of its elements, with the
  /// names of those that the other value of the conflict lacks.
  ///
  /// - Parameters:
  ///   - count: returns a count in words.
  ///   - names: returns the names of all elements.
  public static func collection<Value: Equatable & Sendable>(
    _ property: any KeyPath<Row, Value> & Sendable, label: LocalizedText,
    count: @escaping @Sendable (Int) -> LocalizedText,
    names: @escaping @Sendable (Value) -> [String]
  ) -> HistoryField {
    field(property, label) { value, other, _ in
      let (own, known) = (names(value), Set(other.map(names) ?? []))
      return .collection(count(own.count), own: own.filter { !known.contains($0) })
    }
  }

  /// Returns a field for a column that is merged by key. The JSON value of each key is decoded and
  /// shown by itself.
  /// - Parameters:
  ///   - type: the type of the values.
  ///   - show: returns the presentation of a value; the value is `nil` if the column lacks the key.
  public static func keys<Value, Content: Decodable & Equatable & Sendable>(
    of property: any KeyPath<Row, Value> & Sendable, label: LocalizedText, as type: Content.Type,
    show: @escaping @Sendable (Content?) -> HistoryValue
  ) -> HistoryField {
    HistoryField(
      HistoryColumn(column(property), label) { value, _ in
        if value.isNull { return .some(Content?.none) }
        let text = value.string.map { Data($0.utf8) }
        return text.flatMap { try? JSONDecoder().decode(Content.self, from: $0) }.map { .some($0) }
      } show: { content, _, _ in
        show(content)
      })
  }

  private static func field<Value: Equatable & Sendable>(
    _ property: any KeyPath<Row, Value> & Sendable, _ label: LocalizedText,
    show: @escaping @Sendable (Value, Value?, HistoryContext) throws -> HistoryValue?
  ) -> HistoryField {
    HistoryField(
      HistoryColumn(
        column(property), label, read: { try $0.read(as: property, $1.reader) }, show: show))
  }

  private func joined(by separator: String?) -> HistoryField {
    HistoryField(columns[0].joined(by: separator))
  }

  private static func column(_ property: PartialKeyPath<Row>) -> String {
    guard let column = Row.table.column(of: property) else {
      preconditionFailure(
        "\(property) is not a column of “\(Row.table.name)”. Declare it as one, or name another.")
    }
    return column.name
  }
}

// MARK: - Common types

extension HistoryField {
  /// Returns a field with texts.
  public static func text(
    _ property: any KeyPath<Row, String> & Sendable, label: LocalizedText
  ) -> HistoryField {
    value(property, label: label) { text, _ in .text(text) }
  }

  /// Returns a field with optional texts.
  /// - Parameter separator: the separator between two texts that are joined; without it, only one
  ///   can be chosen.
  public static func text(
    _ property: any KeyPath<Row, String?> & Sendable, label: LocalizedText,
    joinedBy separator: String? = nil
  ) -> HistoryField {
    value(property, label: label) { text, _ in text.map { .text($0) } ?? .missing }
      .joined(by: separator)
  }

  /// Returns a field with combination numbers.
  public static func number(
    _ property: any KeyPath<Row, Int> & Sendable, label: LocalizedText
  ) -> HistoryField {
    value(property, label: label) { number, _ in .number(number) }
  }

  /// Returns a field with Booleans, such as a checkbox.
  public static func check(
    _ property: any KeyPath<Row, Bool> & Sendable, label: LocalizedText, on: LocalizedText,
    off: LocalizedText
  ) -> HistoryField {
    value(property, label: label) { isOn, _ in .words(isOn ? on : off) }
  }

  /// Returns a field with references to rows, shown by their titles.
  ///
  /// - Parameters:
  ///   - unknown: the text for a row whose title is unknown on this device.
  ///   - title: returns the title of a row by its key, by ``HistoryContext/title(of:_:)`` or
  ///     another query.
  public static func reference(
    _ property: any KeyPath<Row, UUID?> & Sendable, label: LocalizedText, unknown: LocalizedText,
    title: @escaping @Sendable (UUID, HistoryContext) throws -> String?
  ) -> HistoryField {
    value(property, label: label) { id, context in
      guard let id else { return .missing }
      return try title(id, context).map { .text($0) } ?? .words(unknown)
    }
  }
}

// MARK: - Rules

extension HistoryField {
  /// Returns one field for two that are shown as one if they were decided together, such as the
  /// first and the last day.
  ///
  /// - Parameters:
  ///   - label: the label of the combined field.
  ///   - show: combines both values; `nil` shows them separately.
  public static func together(
    _ first: HistoryField, _ second: HistoryField, label: LocalizedText,
    show: @escaping @Sendable (HistoryValue, HistoryValue) -> HistoryValue?
  ) -> HistoryField {
    [first, second].compactMap(\.isAllowed)
      .reduce(HistoryField(first.columns + second.columns, (label, show))) { $0.allowed(if: $1) }
  }

  /// Returns the field with a condition for choosing the losing value.
  /// - Parameter check: returns whether the row is valid with the losing value.
  public func allowed(
    if check: @escaping @Sendable (Row, HistoryContext) throws -> Bool
  ) -> HistoryField {
    var field = self
    field.isAllowed = { [isAllowed] in try isAllowed?($0, $1) ?? true && check($0, $1) }
    return field
  }
}
