/// An index over one or more columns. See <https://sqlite.org/lang_createindex.html>.
package struct IndexDefinition: Equatable, Sendable {
  /// The name in the database.
  package internal(set) var name: String
  /// The names of the columns, most significant first.
  package internal(set) var columns: [String]
  /// Whether rows must differ in at least one of the columns.
  package let isUnique: Bool

  /// Returns the default name of an index: `idx_<table>_<column>_…`.
  static func automaticName(_ table: String, _ columns: [String]) -> String {
    (["idx", table] + columns).joined(separator: "_")
  }
}

extension Table {
  /// Adds an index over columns, or a constraint that their values are unique together.
  ///
  /// - Parameters:
  ///   - keyPaths: The properties of the columns, most significant first. The creation of the table
  ///     fails if one of them is not declared as a column.
  ///   - name: The name of the index; `idx_<table>_<column>_…` by default.
  ///   - isUnique: Whether two rows with equal values in all the columns are refused.
  public func index(
    _ keyPaths: PartialKeyPath<Row>..., name: String? = nil, isUnique: Bool = false
  ) -> Self {
    let names = keyPaths.map { plan.indexByKeyPath[$0].map { columns[$0].name } ?? "" }
    var copy = self
    copy.indexes.append(
      IndexDefinition(
        name: name ?? IndexDefinition.automaticName(self.name, names), columns: names,
        isUnique: isUnique))
    return copy
  }

  /// Stores the rows by their primary key, without row ids.
  @_documentation(visibility: internal)
  public func withoutRowID() -> Self {
    var copy = self
    copy.isWithoutRowID = true
    return copy
  }

  /// Makes SQLite refuse values of types other than the declared ones.
  @_documentation(visibility: internal)
  public func strict() -> Self {
    var copy = self
    copy.isStrict = true
    return copy
  }
}
