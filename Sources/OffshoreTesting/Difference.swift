import Offshore

extension Schema {
  /// Returns the differences from an expected schema, one sentence each; empty if the two are
  /// equal.
  ///
  /// For example: `charters.name: expected TEXT NOT NULL, found TEXT`.
  public func differences(from expected: Schema) -> [String] {
    var sentences = Difference.sentences(
      expected: Dictionary(uniqueKeysWithValues: expected.tables.map { ($0.name, $0) }),
      found: Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0) }))
    sentences +=
      Difference(expected: expected.objectDescriptions, found: objectDescriptions).sentences
    return sentences
  }

  private var objectDescriptions: [String: String] {
    Dictionary(
      objects.map { ("\($0.kind) \($0.name)", $0.sql) }, uniquingKeysWith: { first, _ in first })
  }
}

/// A comparison of two sets of named properties.
struct Difference {
  let expected: [String: String]
  let found: [String: String]

  /// A sentence for each property that is missing, unexpected or different.
  var sentences: [String] {
    Set(expected.keys).union(found.keys).sorted().compactMap { name in
      switch (expected[name], found[name]) {
      case (let expected?, let found?) where expected != found:
        "\(name): expected \(expected), found \(found)"
      case (let expected?, nil): "\(name): expected \(expected), found nothing"
      case (nil, let found?): "\(name): expected nothing, found \(found)"
      default: nil
      }
    }
  }

  /// Returns a sentence for each difference between tables, by their names.
  static func sentences(
    expected: [String: Schema.Table], found: [String: Schema.Table]
  ) -> [String] {
    Set(expected.keys).union(found.keys).sorted().flatMap { name in
      switch (expected[name], found[name]) {
      case (let expected?, let found?):
        Difference(expected: expected.descriptions, found: found.descriptions).sentences
          + found.differencesOfOrder(from: expected)
      case (nil, _): ["\(name): expected no such table, found one"]
      default: ["\(name): expected a table, found none"]
      }
    }
  }
}

extension Schema.Table {
  /// The properties of the table as lines, by the names of their columns or constraints.
  fileprivate var descriptions: [String: String] {
    var descriptions: [String: String] = [:]
    for column in columns { descriptions["\(name).\(column.name)"] = column.line }
    descriptions["\(name): primary key"] = primaryKey.isEmpty ? nil : "(\(primaryKey.nameList))"
    descriptions["\(name): strict"] = isStrict ? "STRICT" : nil
    descriptions["\(name): row ids"] = isWithoutRowID ? "WITHOUT ROWID" : nil
    for index in indexes {
      let title = index.sql == nil ? index.title : "index \(index.name ?? "")"
      descriptions["\(name): \(title)", default: ""] += index.sql ?? index.name ?? "a constraint"
    }
    for key in foreignKeys { descriptions["\(name): \(key.title)", default: ""] += key.destination }
    for check in checks { descriptions["\(name): check (\(check))"] = "the constraint" }
    return descriptions
  }

  /// Returns a sentence if two tables have the same columns in different orders.
  fileprivate func differencesOfOrder(from expected: Schema.Table) -> [String] {
    let (names, expectedNames) = (columns.map(\.name), expected.columns.map(\.name))
    guard names != expectedNames, Set(names) == Set(expectedNames) else { return [] }
    let order = "expected the columns in order \(expectedNames.nameList)"
    return ["\(name): \(order), found \(names.nameList)"]
  }
}
