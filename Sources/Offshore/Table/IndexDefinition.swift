/// An index over one or more columns. See <https://sqlite.org/lang_createindex.html>.
package struct IndexDefinition: Equatable, Sendable {
  /// The name in the database.
  package internal(set) var name: String
  /// The names of the columns, most significant first.
  package internal(set) var columns: [String]
  /// Whether no two rows may agree in all the columns.
  package let isUnique: Bool

  /// The name of an index that is given none: `idx_<table>_<column>_…`.
  static func automaticName(_ table: String, _ columns: [String]) -> String {
    (["idx", table] + columns).joined(separator: "_")
  }
}

extension Table {
  /// Adds an index over columns, or a constraint that their values are unique together.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties of the columns, most significant first; ones that are not
  ///     declared as columns are reported when the table is created.
  ///   - name: a name for the index; `idx_<table>_<column>_…` unless stated.
  ///   - isUnique: whether two rows that agree in all of them are refused.
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

  /// Stores the rows under their primary key alone.
  public func withoutRowID() -> Self {
    var copy = self
    copy.isWithoutRowID = true
    return copy
  }

  /// Lets SQLite refuse values of other types than declared.
  public func strict() -> Self {
    var copy = self
    copy.isStrict = true
    return copy
  }
}
