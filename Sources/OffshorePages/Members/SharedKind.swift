public import Foundation
public import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb
import OffshoreWire

/// A kind of scopes that members share, such as a list: its pages and their texts.
///
/// ```swift
/// extension SharedKind {
///   static let list = SharedKind("list", in: "lists") { ListRoute.list($0).address }
/// }
///
/// router.addMembers(of: frame, .list)
/// MembersLink(frame, .list, of: list.id)  // a row with a link to the members
/// JoinLink(frame, .list)                  // a button that opens the page for joining
/// ```
///
/// The title of a scope is the title of the row whose key is the scope's value.
public struct SharedKind: Sendable {
  /// The kind of scope.
  public let kind: String
  /// The part of the app that the pages belong to.
  public let part: AppFrame.Part.ID
  /// The texts that differ from app to app.
  public let texts: MembersTexts
  let page: @Sendable (UUID) -> String

  /// Creates a kind.
  ///
  /// - Parameters:
  ///   - kind: the kind of scope, as in the synced tables.
  ///   - part: the part of the app that the pages belong to.
  ///   - texts: the texts that name the scope.
  ///   - page: returns the address of a scope's own page.
  public init(
    _ kind: String, in part: AppFrame.Part.ID, texts: MembersTexts = MembersTexts(),
    page: @escaping @Sendable (UUID) -> String
  ) {
    self.kind = kind
    self.part = part
    self.texts = texts
    self.page = page
  }

  /// Returns the address of the page with the members of a scope.
  public func members(of id: UUID) -> String { MembersRoute.members(kind, id).address }

  /// The address of the page for accepting an invitation by its code.
  public var join: String { MembersRoute.join(kind).address }

  /// Returns the address of the page for accepting an invitation, with the code filled in.
  public func join(by code: String) -> String {
    let query: Fields = ["code": code]
    return "\(join)?\(query.encoded)"
  }
}

/// The pages about the members of shared scopes.
enum MembersRoute: PageRoute {
  case members(String, UUID)
  case join(String)
  /// The link of an invitation, whose code is in the field `code` of the query.
  case invitation

  var path: RoutePath {
    switch self {
    case .members(let kind, let id): "members/\(kind)/\(id)"
    case .join(let kind): "join/\(kind)"
    case .invitation: "join"
    }
  }

  static let all: [RouteCase<MembersRoute>] = [
    RouteCase(MembersRoute.members), RouteCase(MembersRoute.join), RouteCase(.invitation),
  ]
}

extension Router {
  /// Adds the pages for members, invitations and joining, for all shared kinds of an app.
  public mutating func addMembers(of frame: AppFrame, _ kinds: SharedKind...) {
    func find(_ name: String?) throws -> SharedKind {
      guard let kind = kinds.first(where: { name == nil || $0.kind == name }) else {
        throw HTTPError(.notFound)
      }
      return kind
    }
    addPages(MembersRoute.self, of: frame) { route, query in
      switch route {
      case .members(let name, let id): try MembersPage(frame, find(name), of: id)
      case .join(let name): try JoinPage(frame, kinds, at: find(name), code: query["code"])
      // A code does not show its kind, and the page of any kind accepts it.
      case .invitation: try JoinPage(frame, kinds, at: find(nil), code: query["code"])
      }
    }
  }
}
