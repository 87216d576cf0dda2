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
