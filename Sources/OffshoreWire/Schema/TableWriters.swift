/// The members who may write the rows of a table.
package enum TableWriters: Hashable, Sendable {
  /// The owners and editors of the scope.
  case members
  /// The owners of the scope.
  case owners
  /// Of the owners and editors of a row's scope, the one whose account id is in this column.
  case author(String)

  /// Returns the author of a row, or `nil` if the table has no author column or the row no author.
  package func author(in fields: [String: WireValue]) -> WireValue? {
    guard case .author(let column) = self else { return nil }
    return fields[column]
  }

  /// The column with the author, or `nil` if the table has none.
  package var authorColumn: String? { if case .author(let column) = self { column } else { nil } }
}

/// Writers are encoded as their name, an author as an object with the column.
extension TableWriters: Codable {
  private enum Key: String, CodingKey, CaseIterable { case author }

  private static let plain: [String: TableWriters] = ["members": .members, "owners": .owners]

  package func encode(to encoder: any Encoder) throws {
    if case .author(let column) = self {
      var object = encoder.container(keyedBy: Key.self)
      try object.encode(column, forKey: .author)
    } else {
      var single = encoder.singleValueContainer()
      try single.encode(self == .owners ? "owners" : "members")
    }
  }

  package init(from decoder: any Decoder) throws {
    if let name = try? decoder.singleValueContainer().decode(String.self) {
      guard let writers = Self.plain[name] else {
        throw decoder.failure("writers that are not known here")
      }
      self = writers
      return
    }
    self = .author(try decoder.object(of: Key.self).decode(String.self, forKey: .author))
  }
}
