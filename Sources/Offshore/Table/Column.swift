/// One column of a table: its name, its property, and the representation of its values.
///
/// ```swift
/// Column("id", \.id).primaryKey()
/// Column("startDate", \.startDate, as: .text)
/// Column("charterID", \.charterID).references("charters", onDelete: .cascade)
/// ```
public struct Column<Row: Sendable, Codec: ColumnCodec>: Sendable {
  @usableFromInline let keyPath: any KeyPath<Row, Codec.Value> & Sendable
  @usableFromInline var definition: ColumnDefinition

  @usableFromInline
  init(_ name: String, _ keyPath: any KeyPath<Row, Codec.Value> & Sendable, _: Codec.Type) {
    self.keyPath = keyPath
    definition = ColumnDefinition(
      name: name, sqlType: Codec.sqlType, isNullable: Codec.isNullable)
  }

  /// Declares a column with the native representation of its property's type.
  @inlinable
  public init<Value: ColumnValue>(
    _ name: String, _ keyPath: any KeyPath<Row, Value> & Sendable
  ) where Codec == Value.Codec {
    self.init(name, keyPath, Codec.self)
  }

  /// Declares a column whose values are stored by a named codec.
  @inlinable
  public init(
    _ name: String, _ keyPath: any KeyPath<Row, Codec.Value> & Sendable, as kind: CodecKind<Codec>
  ) {
    self.init(name, keyPath, Codec.self)
  }

  /// Declares a column of optional values whose wrapped values are stored by a named codec.
  @inlinable
  public init<Wrapped: ColumnCodec>(
    _ name: String, _ keyPath: any KeyPath<Row, Wrapped.Value?> & Sendable,
    as kind: CodecKind<Wrapped>
  ) where Codec == Nullable<Wrapped> {
    self.init(name, keyPath, Codec.self)
  }
}

// MARK: - Modifiers

extension Column {
  /// Makes the column the primary key, or a part of it if other columns are, too.
  public func primaryKey() -> Self { with { $0.isPrimaryKey = true } }

  /// Refuses two rows with the same value.
  public func unique() -> Self { with { $0.isUnique = true } }

  /// Adds an index over the column and the primary key, so that pages of a list in the column's
  /// order are read without sorting.
  ///
  /// An index over exactly the given columns is ``Table/index(_:name:isUnique:)``.
  /// - Parameter name: The name of the index; `idx_<table>_<column>` by default.
  public func indexed(_ name: String? = nil) -> Self {
    with { $0.index = name.map(ColumnDefinition.Index.named) ?? .automatic }
  }

  /// Requires that the value is a key of another table.
  ///
  /// - Parameters:
  ///   - table: The name of the referenced table.
  ///   - column: The referenced column; by default, the table's primary key.
  ///   - onDelete: The action on this row when the referenced row is deleted.
  ///   - onUpdate: The action on this row when the referenced key changes.
  ///   - isDeferred: Whether the reference may dangle until the end of the write.
  public func references(
    _ table: String, column: String? = nil, onDelete: ReferenceAction = .noAction,
    onUpdate: ReferenceAction = .noAction, isDeferred: Bool = false
  ) -> Self {
    with {
      $0.reference = Reference(
        table: table, column: column, onDelete: onDelete, onUpdate: onUpdate,
        isDeferred: isDeferred)
    }
  }

  /// Sets a default in SQL, for rows that are inserted by statements other than the library's.
  public func `default`(_ value: Codec.Value) -> Self {
    var writer = RowWriter(nil)
    Codec.bind(value, &writer, 1)
    return with {
      $0.defaultSQL = writer.collected.first?.description
      $0.hasUnusableDefault = writer.failure != nil
    }
  }

  /// Refuses rows for which an SQL expression is false.
  public func check(_ expression: String) -> Self { with { $0.checkSQL = expression } }

  /// Compares and sorts the column's texts by a collation.
  public func collate(_ collation: Collation) -> Self { with { $0.collation = collation } }

  /// Declares the column with another SQL type, for schemas that are not the app's own.
  public func type(_ sqlType: String) -> Self { with { $0.sqlType = sqlType } }

  private func with(_ change: (inout ColumnDefinition) -> Void) -> Self {
    var copy = self
    change(&copy.definition)
    return copy
  }
}
