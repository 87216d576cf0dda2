import Offshore
public import OffshoreSync
import OffshoreWire

/// Kinds of entities that an app lists together, such as the parts of a library.
///
/// ```swift
/// enum Library: EntityGroup {
///   static let path = "library"
///   static let kinds: [any Entity.Type] = [Guide.self, Deck.self]
/// }
/// ```
///
/// Each kind of the group is synced, and has a list, pages and links. The group is the only place
/// that names it.
public protocol EntityGroup: Sendable {
  /// The first component of the addresses of the pages: `library`.
  static var path: String { get }
  /// The kinds, in the order in which they are listed. There is at least one.
  static var kinds: [any Entity.Type] { get }
}

/// A kind of entities as a value, for example in an address.
public struct EntityKind<Group: EntityGroup>: Hashable, Sendable, CaseIterable {
  /// The entity type.
  public let type: any Entity.Type

  /// Creates the value of a kind of the group.
  public init(_ type: any Entity.Type) { self.type = type }

  /// Finds the kind that satisfies a condition.
  init?(where condition: (any Entity.Type) -> Bool) {
    guard let type = Group.kinds.first(where: condition) else { return nil }
    self.type = type
  }

  /// Finds a kind by its plural noun, as in addresses: `guides`.
  public init?(plural: String) { self.init { $0.name + "s" == plural } }

  /// Finds a kind by the table that stores its entries.
  public init?(table: String?) { self.init { $0.tableName == table } }

  /// The plural noun in addresses: `guides`.
  public var plural: String { type.name + "s" }

  /// The kinds of the group, in their declared order.
  public static var allCases: [EntityKind] { Group.kinds.map { EntityKind($0) } }

  /// Returns whether two values have the same type.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.type == rhs.type }

  /// Hashes the type.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
}

extension EntityGroup {
  /// The nouns for one entry by table, which name changed entries on the page of syncing.
  public static var names: [String: LocalizedText] {
    Dictionary(kinds.map { ($0.tableName, $0.texts.one) }) { first, _ in first }
  }

  /// Returns the synced tables of the kinds. Entries belong to the personal scope of their owner.
  /// - Parameter kind: the name of the personal kind of scope, such as `user`.
  public static func syncTables(ofScope kind: String) -> [SyncTable] {
    kinds.map { SyncTable(entity: $0, scopeKind: kind) }
  }
}

extension SyncTable {
  fileprivate init<Kind: Entity>(entity: Kind.Type, scopeKind: String) {
    self.init(
      Kind.table, scopeKind: scopeKind, scopeColumn: "creatorID", title: "title")
  }
}
