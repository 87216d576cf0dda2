public import Foundation
public import OffshorePresentation
public import OffshoreWeb

/// A kind of entities that can be shown on pages.
public protocol ShownEntity: Entity {
  /// The icon of an empty list.
  static var icon: Icon { get }

  /// Returns the content of an entry's page.
  @MainActor @HTMLBuilder func content(_ say: Localizer) -> HTML
}

/// The pages of a group of entities: the list of each kind, the page of an entry, and its form.
///
/// ```swift
/// typealias LibraryRoute = EntityRoute<Library>
/// LibraryRoute.entry(EntityKind(Guide.self), id).address  // /library/guides/0B1C…
/// ```
public enum EntityRoute<Group: EntityGroup>: PageRoute {
  /// The list of the first kind, with links to the others; the query `part` names another kind.
  case list
  /// The form of a new entry.
  case new(EntityKind<Group>)
  /// The page of an entry.
  case entry(EntityKind<Group>, UUID)
  /// The form of an entry.
  case edit(EntityKind<Group>, UUID)

  /// The path of the page: `library/guides/ID/edit`.
  public var path: RoutePath {
    switch self {
    case .list: "\(literal: Group.path)"
    case .new(let kind): "\(literal: Group.path)/\(kind)/new"
    case .entry(let kind, let id): "\(literal: Group.path)/\(kind)/\(id)"
    case .edit(let kind, let id): "\(literal: Group.path)/\(kind)/\(id)/edit"
    }
  }

  /// The maximum size of a form in bytes: ``PageRoute/editorFormLimit`` for entries, which may have
  /// rows.
  public var formLimit: Int {
    switch self {
    case .new, .edit: Self.editorFormLimit
    case .list, .entry: Self.usualFormLimit
    }
  }

  /// The four kinds of pages.
  public static var all: [RouteCase<Self>] {
    [
      RouteCase(.list), RouteCase(EntityRoute.new), RouteCase(EntityRoute.entry),
      RouteCase(EntityRoute.edit),
    ]
  }

  /// Returns the address of the list of a kind.
  static func address(of kind: EntityKind<Group>) -> String {
    let isFirst = kind == EntityKind<Group>.allCases.first
    return Self.list.address + (isFirst ? "" : "?part=\(kind.plural)")
  }

  /// Returns the address of the page of an unreadable entry, on which it can be deleted; `nil` if
  /// the table stores none of the kinds.
  public static func address(of place: StoredPlace) -> String? {
    guard let kind = EntityKind<Group>(table: place.table), let id = UUID(uuidString: place.row)
    else { return nil }
    return Self.entry(kind, id).address
  }
}

extension EntityKind: RouteValue {
  /// The first kind, as a sample.
  public static var sample: EntityKind {
    guard let first = allCases.first else {
      preconditionFailure("\(Group.self) has no kinds. Add at least one.")
    }
    return first
  }

  /// Parses the plural noun.
  public init?(routeText: String) { self.init(plural: routeText) }

  /// The plural noun.
  public var routeText: String { plural }

  /// The kind as a type that can be shown.
  var shown: any ShownEntity.Type {
    guard let shown = type as? any ShownEntity.Type else {
      preconditionFailure("\(type) has no pages. Let it conform to ShownEntity.")
    }
    return shown
  }
}
