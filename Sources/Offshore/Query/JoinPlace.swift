/// A table in a join, without its static type.
struct JoinPlace: Sendable {
  let table: String
  /// The name of the table in the join.
  let name: String
  let columns: [ColumnDefinition]
  let keyIndexes: [Int]
  /// Checks the declaration of the table when it is first used.
  let checkFirstUse: @Sendable () throws -> Void
  private let index: @Sendable (AnyKeyPath) -> Int?

  init<Row: Record>(_: Row.Type, _ name: String) {
    let table = Row.table
    self.table = table.name
    self.name = name
    columns = table.columns
    keyIndexes = table.plan.keyIndexes
    checkFirstUse = { try table.plan.checkFirstUse() }
    index = { path in
      (path as? PartialKeyPath<Row>).flatMap { table.plan.indexByKeyPath[$0] }
    }
  }

  /// The names of all columns, with the table's name in the join.
  var fullNames: [String] { columns.indices.map(fullName) }

  private func fullName(_ index: Int) -> String {
    name.quotedIdentifier + "." + columns[index].name.quotedIdentifier
  }

  /// Returns the condition by which the one declared reference between this table and others
  /// matches rows.
  ///
  /// If there is not exactly one such reference, the SQL has a problem with code `declaration`.
  /// - Parameter property: The property of another table whose column refers to this one.
  func reference(among others: [JoinPlace], by property: AnyKeyPath?) -> SQL {
    var found: [(sql: SQL?, name: String)] = []
    for other in others {
      found += other.references(to: self, by: property)
      if property == nil, other.table != table { found += references(to: other, by: nil) }
    }
    let tables = others.map { "“\($0.table)”" }.joined(separator: ", ")
    guard let first = found.first else {
      return SQL(
        problem: .declaration,
        "Between \(tables) and “\(table)” no \(property == nil ? "" : "such ")reference is declared. "
          + "Add references(\"\(table)\") to a column, or state a condition by on.")
    }
    guard found.count == 1 else {
      let columns = found.map { "“\($0.name)”" }.joined(separator: ", ")
      return SQL(
        problem: .declaration,
        "\(tables) and “\(table)” are related by \(columns). Name the property by:, or state a "
          + "condition by on.")
    }
    return first.sql
      ?? SQL(
        problem: .declaration,
        "The reference by “\(first.name)” does not lead to one declared column. Name it by "
          + "references(_:column:).")
  }

  /// Returns the conditions of the references from this table to another. A condition has no SQL if
  /// its reference does not lead to one column.
  private func references(
    to other: JoinPlace, by property: AnyKeyPath?
  ) -> [(sql: SQL?, name: String)] {
    let named = property.map { index($0) }
    return columns.indices.compactMap { index in
      guard let reference = columns[index].reference, reference.table == other.table,
        named == nil || named == index
      else { return nil }
      let target = reference.index(in: other.columns, keys: other.keyIndexes)
      let sql = target.map { SQL(raw: "\(fullName(index)) = \(other.fullName($0))") }
      return (sql, columns[index].name)
    }
  }
}

/// The columns of two tables that are equal by a declared reference.
struct ReferenceMatch<Child: Record, Parent: Record>: Hashable, Sendable {
  /// The index of the referring column in the child's table.
  let childIndex: Int
  /// The index of the referenced column in the parent's table.
  let parentIndex: Int

  /// Finds the reference from one table to another.
  ///
  /// - Parameter property: The property of the referring column, if there are several references.
  /// - Throws: A problem with code `declaration` that names both tables.
  init(by property: PartialKeyPath<Child>?) throws(SQL.Problem) {
    let child = Child.table
    let parent = Parent.table
    let named = property.map { child.plan.indexByKeyPath[$0] }
    let candidates = child.columns.indices.filter {
      child.columns[$0].reference?.table == parent.name && (named == nil || named == $0)
    }
    guard let index = candidates.first, let reference = child.columns[index].reference else {
      throw Self.problem(
        "Table “\(child.name)” declares no \(property == nil ? "" : "such ")reference to "
          + "“\(parent.name)”. Add references(\"\(parent.name)\") to its column.")
    }
    guard candidates.count == 1 else {
      let names = candidates.map { "“\(child.columns[$0].name)”" }.joined(separator: ", ")
      throw Self.problem(
        "Table “\(child.name)” refers to “\(parent.name)” by \(names). Say which by by:.")
    }
    childIndex = index
    parentIndex = try Self.index(of: reference)
  }

  private static func index(of reference: Reference) throws(SQL.Problem) -> Int {
    let parent = Parent.table
    if let index = reference.index(in: parent.columns, keys: parent.plan.keyIndexes) {
      return index
    }
    throw problem(
      "The reference of “\(Child.table.name)” to “\(parent.name)” does not lead to one declared "
        + "column. Name it by references(\"\(parent.name)\", column:).")
  }

  private static func problem(_ message: String) -> SQL.Problem {
    SQL.Problem(code: .declaration, message: message)
  }
}

extension Reference {
  /// Returns the index of the referenced column in its table, or `nil` if there is not exactly one.
  func index(in columns: [ColumnDefinition], keys: [Int]) -> Int? {
    if let name = column { return columns.firstIndex { $0.name == name } }
    return keys.count == 1 ? keys.first : nil
  }
}
