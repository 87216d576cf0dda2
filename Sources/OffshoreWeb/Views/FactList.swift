/// Names with values, such as the facts about a trip.
public struct FactList: Component {
  private let facts: [(name: String, value: String)]
  private let id: String?

  /// Creates a list.
  /// - Parameters:
  ///   - facts: the names with their values. Those without a value are left out.
  ///   - id: an id of the list.
  public init(_ facts: [(name: String, value: String?)], id: String? = nil) {
    self.facts = facts.compactMap { name, value in value.map { (name, $0) } }
    self.id = id
  }

  /// The list.
  public var html: HTML {
    dl(.class("facts"), id.map { .id($0) } ?? .none) {
      for fact in facts {
        div {
          dt { fact.name }
          dd { fact.value }
        }
      }
    }
  }
}
