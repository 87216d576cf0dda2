/// The declaration of an index over the words in text columns of a table.
///
/// ```swift
/// extension Recipe {
///   static let text = TextIndex(of: table, \.title, \.note).weight(\.title, 10)
/// }
///
/// Migration("v1.1.0_searchRecipes", .create(Recipe.text))
///
/// let found = try Recipe.matching("sour bre", in: Recipe.text).limit(20).all(reader)
/// ```
///
/// Case and diacritics are ignored: “creme” finds “crème”, and “елка” finds “Ёлка”, and the
/// reverse. The letters й, ї, ў, ѓ and ќ remain distinct letters. A table needs a primary key, and
/// has at most one text index. The index is updated with its table, also by raw SQL.
///
/// `weight(_:_:)` sets the weight of a column's words in the rank: 1 by default, 10 for ten times
/// as much. The migration steps `.create` and `.drop` create and drop an index; if the table
/// already has one over other columns, `.create` replaces it. A ``Writer`` has the same functions,
/// and `rebuild`, which creates the index again, and `verify`, which throws ``DatabaseError`` with
/// code `corrupted` if the index differs from the texts of the rows.
public struct TextIndex<Row: Record>: Sendable {
  /// The name of the table.
  let table: String
  /// The names of the columns; "" for a property that is not a text column.
  let columns: [String]
  /// The weight of each column in the rank.
  private(set) var weights: [Double]
  /// The problem of the declaration, if it has one.
  private(set) var problem: String?

  /// Declares an index over text columns.
  ///
  /// If a property is not declared as a column of type `TEXT`, using the index throws
  /// ``DatabaseError`` with code `declaration`.
  public init<each Value: SQLText>(
    of table: Table<Row>, _ property: repeat KeyPath<Row, each Value>
  ) {
    self.table = table.name
    var columns: [String] = []
    for path in repeat each property {
      columns.append(table.textColumn(of: path) ?? "")
    }
    self.columns = columns
    weights = columns.map { _ in 1 }
    if columns.isEmpty || columns.contains("") {
      problem =
        "A text index covers columns of texts. Declare each of its properties as a column of type TEXT."
    } else if Set(columns).count < columns.count {
      problem = "A text index has each column once. Remove one."
    }
  }

  /// Sets the weight of a column's words in the rank: 1 by default, 10 for ten times as much.
  @_documentation(visibility: internal)
  public func weight<Value: SQLText>(_ property: KeyPath<Row, Value>, _ weight: Double) -> Self {
    var copy = self
    let name = Row.table.textColumn(of: property)
    if let index = columns.firstIndex(where: { $0 == name }), weight.isFinite, weight >= 0 {
      copy.weights[index] = weight
    } else {
      copy.problem =
        "A weight is for a column of the text index, and 0 or more. Correct weight(_:_:)."
    }
    return copy
  }

  /// The names of the index's objects in the file.
  var names: TextIndexNames { TextIndexNames(table: table) }

  /// The declaration of the table with the columns of the index.
  /// - Throws: ``DatabaseError`` with code `declaration` if the table's contradicts itself.
  var declaration: TableDeclaration {
    get throws {
      var declaration = try TableDeclaration(Row.table)
      declaration.textColumns = columns
      return declaration
    }
  }

  /// - Throws: ``DatabaseError`` with code `declaration`.
  func check() throws {
    guard let problem else { return }
    var error = DatabaseError(.declaration, problem)
    error.table = table
    throw error
  }
}

extension Table {
  /// Returns the name of a property's column, if it is a text column.
  fileprivate func textColumn(of property: PartialKeyPath<Row>) -> String? {
    guard let column = column(of: property), column.sqlType.uppercased() == "TEXT" else {
      return nil
    }
    return column.name
  }
}
