/// One column of a table: its name, its property, and the representation of its values.
///
/// ```swift
/// Column("id", \.id).primaryKey()
/// Column("startDate", \.startDate, as: .text)
/// Column("charterID", \.charterID).references("charters", onDelete: .cascade)
/// // "id" TEXT NOT NULL PRIMARY KEY, "startDate" TEXT NOT NULL,
/// // "charterID" TEXT NOT NULL REFERENCES "charters" ON DELETE CASCADE
/// ```
/// A column of an optional property accepts NULL; any other is `NOT NULL`. Besides ``indexed(_:)``
/// and ``references(_:column:onDelete:onUpdate:isDeferred:)``, these modifiers return a changed
/// column:
///
/// | modifier | effect |
/// | --- | --- |
/// | `primaryKey()` | `PRIMARY KEY`, or a part of the key if other columns have it, too |
/// | `unique()` | `UNIQUE`: refuses two rows with the same value |
/// | `default(value)` | `DEFAULT …`: the value in rows that your own SQL inserts without the column, and in existing rows if a migration adds the column; `insert` writes all columns |
/// | `check("guests > 0")` | `CHECK (guests > 0)`: refuses rows for which the SQL is false |
/// | `collate(.noCase)` | `COLLATE NOCASE`: ignores the case of ASCII letters |
/// | `collate(.trimTrailing)` | `COLLATE RTRIM`: ignores trailing spaces |
/// | `type("VARCHAR(40)")` | this SQL type, for a file that another program has created |
public struct Column<Row: Sendable, Codec: ColumnCodec>: Sendable {
  @usableFromInline let keyPath: any KeyPath<Row, Codec.Value> & Sendable
  @usableFromInline var definition: ColumnDefinition

  @usableFromInline
  init(_ name: String, _ keyPath: any KeyPath<Row, Codec.Value> & Sendable, _: Codec.Type) {
    self.keyPath = keyPath
    definition = ColumnDefinition(
      name: name, sqlType: Codec.sqlType, isNullable: Codec.isNullable)
  }

  /// Declares a column with the default representation of its property's type; see ``ColumnValue``.
  ///
  /// - Parameters:
  ///   - name: The name in the database.
  ///   - keyPath: The property. Properties that are stored are read faster than computed ones.
  @inlinable
  public init<Value: ColumnValue>(
    _ name: String, _ keyPath: any KeyPath<Row, Value> & Sendable
  ) where Codec == Value.Codec {
    self.init(name, keyPath, Codec.self)
  }

  /// Declares a column whose values are stored by another codec than the default one.
  ///
  /// ```swift
  /// Column("id", \.id, as: .blob)            // UUID: 16 bytes
  /// Column("date", \.date, as: .text)        // Date: UTC text yyyy-MM-dd HH:mm:ss.SSS
  /// Column("date", \.date, as: .unixSeconds) // Date: seconds since 1970, as REAL
  /// Column("crew", \.crew, as: .json)        // a JSONColumnValue: JSON text
  /// ```
  /// The property can be optional: `nil` is stored as NULL. ``CodecKind`` names codecs of your own,
  /// and ``JSONColumnValue`` describes columns of JSON.
  ///
  /// - Parameters:
  ///   - name: The name in the database.
  ///   - keyPath: The property.
  ///   - kind: The name of the codec.
  @inlinable
  public init(
    _ name: String, _ keyPath: any KeyPath<Row, Codec.Value> & Sendable, as kind: CodecKind<Codec>
  ) {
    self.init(name, keyPath, Codec.self)
  }

  /// Declares a column of optional values whose wrapped values are stored by a named codec.
  @_documentation(visibility: internal)
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
  @_documentation(visibility: internal)
  public func primaryKey() -> Self { with { $0.isPrimaryKey = true } }

  /// Refuses two rows with the same value.
  @_documentation(visibility: internal)
  public func unique() -> Self { with { $0.isUnique = true } }

  /// Adds an index over the column and the primary key, so that pages of a list in the column's
  /// order are read without sorting.
  ///
  /// `CREATE INDEX "idx_charters_startDate" ON "charters" ("startDate", "id")`. An index over
  /// exactly the given columns is ``Table/index(_:name:isUnique:)``.
  /// - Parameter name: The name of the index; `idx_<table>_<column>` by default.
  public func indexed(_ name: String? = nil) -> Self {
    with { $0.index = name.map(ColumnDefinition.Index.named) ?? .automatic }
  }

  /// Requires that the value is a key of another table.
  ///
  /// `REFERENCES "charters" ("id") ON DELETE CASCADE`. ``Query/joining(_:by:)`` and
  /// ``Query/including(_:by:)`` follow declared references.
  ///
  /// - Parameters:
  ///   - table: The name of the referenced table.
  ///   - column: The referenced column; by default, the table's primary key.
  ///   - onDelete: The action on this row when the referenced row is deleted: `.noAction` refuses
  ///     the deletion at the end of the statement, `.restrict` at once, `.setNull` and
  ///     `.setDefault` clear the reference, `.cascade` deletes this row, too.
  ///   - onUpdate: The action on this row when the referenced key changes: the same actions, but
  ///     `.cascade` changes the reference.
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

  /// Sets the value that SQL of the app inserts if it does not name the column. The functions of
  /// the library write all columns.
  @_documentation(visibility: internal)
  public func `default`(_ value: Codec.Value) -> Self {
    var writer = RowWriter(nil)
    Codec.bind(value, &writer, 1)
    return with {
      $0.defaultSQL = writer.collected.first?.description
      $0.hasUnusableDefault = writer.failure != nil
    }
  }

  /// Refuses rows for which an SQL expression is false.
  @_documentation(visibility: internal)
  public func check(_ expression: String) -> Self { with { $0.checkSQL = expression } }

  /// Compares and sorts the column's texts by a collation.
  @_documentation(visibility: internal)
  public func collate(_ collation: Collation) -> Self { with { $0.collation = collation } }

  /// Declares the column with another SQL type, for a file that another program has created.
  @_documentation(visibility: internal)
  public func type(_ sqlType: String) -> Self { with { $0.sqlType = sqlType } }

  private func with(_ change: (inout ColumnDefinition) -> Void) -> Self {
    var copy = self
    change(&copy.definition)
    return copy
  }
}
