public import Foundation
public import OffshoreHTTP
public import OffshorePresentation
public import OffshoreWeb
public import OffshoreWire

/// A kind of scopes that members share, such as a list, with the pages for its members.
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
  let kind: String
  /// The part of the app that the pages belong to.
  let part: AppFrame.Part.ID
  /// The texts that name the scope.
  public let texts: MembersTexts
  /// Returns the place of the scope with a value, or `nil` if the kind has no such value.
  let place: @Sendable (_ value: String) -> Place?

  /// A scope, and its own page.
  struct Place {
    /// The scope's value, in the spelling of the app.
    let value: String
    /// The address of the page.
    let page: String
  }

  /// Creates a kind whose scopes have UUIDs as values.
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
    self.init(kind, of: UUID.self, in: part, texts: texts, page: page)
  }

  /// Creates a kind whose scopes have values of any type, such as `String`.
  ///
  /// - Parameters:
  ///   - kind: the kind of scope, as in the synced tables.
  ///   - type: the type of the scopes' values.
  ///   - part: the part of the app that the pages belong to.
  ///   - texts: the texts that name the scope.
  ///   - page: returns the address of a scope's own page.
  public init<Value: RouteValue>(
    _ kind: String, of type: Value.Type, in part: AppFrame.Part.ID,
    texts: MembersTexts = MembersTexts(), page: @escaping @Sendable (Value) -> String
  ) {
    self.kind = kind
    self.part = part
    self.texts = texts
    place = { text in
      Value(routeText: text).map { Place(value: $0.routeText, page: page($0)) }
    }
  }

  /// Returns the address of the page with the members of a scope.
  public func membersAddress(of id: UUID) -> String { membersAddress(ofScope: id.uuidString) }

  /// Returns the address of the page with the members of the scope with a value.
  public func membersAddress(ofScope value: String) -> String {
    MembersRoute.members(kind, value).address
  }

  /// The address of the page for accepting an invitation by its code.
  public var joinAddress: String { MembersRoute.join(kind).address }

  /// Returns the address of the page for accepting an invitation, with the code filled in.
  public func joinAddress(code: String) -> String {
    let query: Fields = ["code": code]
    return "\(joinAddress)?\(query.encoded)"
  }
}

/// The pages about the members of shared scopes.
enum MembersRoute: PageRoute {
  case members(String, String)
  case join(String)
  /// The link of an invitation, whose code is in the field `code` of the query.
  case invitation

  var path: RoutePath {
    switch self {
    case .members(let kind, let value): "members/\(kind)/\(value)"
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
      case .members(let name, let value): try MembersPage(frame, find(name), of: value)
      case .join(let name): try JoinPage(frame, kinds, at: find(name), code: query["code"])
      // A code does not show its kind, and the page of any kind accepts it.
      case .invitation: try JoinPage(frame, kinds, at: find(nil), code: query["code"])
      }
    }
  }
}

/// A row with a link to the members of a scope, and with the user's own permissions.
@MainActor public struct MembersLink: Component {
  /// The row.
  public let html: HTML

  /// Creates a link to the members of the scope with an id.
  public init(_ frame: AppFrame, _ kind: SharedKind, of id: UUID) {
    self.init(frame, kind, ofScope: id.uuidString)
  }

  /// Creates a link to the members of the scope with a value.
  public init(_ frame: AppFrame, _ kind: SharedKind, ofScope value: String) {
    let scope = try? ScopeID(kind: kind.kind, value: value)
    let role = scope.flatMap { frame.sync.access(to: $0).role }
    html =
      LinkRow(
        frame.say(.peopleWithAccess), to: kind.membersAddress(ofScope: value),
        text: frame.say(role.map { kind.texts.sentence(for: $0) } ?? kind.texts.unshared),
        id: "people-with-access"
      ).html
  }
}

/// A button that opens the page for accepting an invitation.
@MainActor public struct JoinLink: Component {
  /// The button.
  public let html: HTML

  /// Creates a link to the page for accepting invitations of a kind.
  public init(_ frame: AppFrame, _ kind: SharedKind) {
    html = LinkButton(frame.say(.joinByCode), to: kind.joinAddress).html
  }
}

/// A view in place of the scopes of a kind while the file has no account, which they need.
@MainActor public struct AccountNeededView: Component {
  /// The view, with a link to the account if there is a server.
  public let html: HTML

  /// Creates a view.
  /// - Parameter title: the title, such as “Teams need an account”.
  public init(_ title: LocalizedText, _ frame: AppFrame, _ kind: SharedKind) {
    let (say, hasServer) = (frame.say, frame.sync.session.hasServer)
    html =
      EmptyView(
        title: say(title), text: say(hasServer ? kind.texts.signInToShare : kind.texts.noServer),
        action: hasServer ? .link(say(.account), to: SystemRoute.account.address) : nil
      ).html
  }
}

/// A line that explains why the user may not edit a scope; nothing for users who may.
@MainActor public struct ReadOnlyNotice: Component {
  /// The line.
  public let html: HTML

  /// Creates a line about a role without the right to write.
  public init(_ role: Role?, _ frame: AppFrame, _ kind: SharedKind) {
    html =
      if let role, !role.canWrite {
        p(.id("look-only"), .class("look-only")) { frame.say(kind.texts.sentence(for: role)) }
      } else {
        HTML()
      }
  }
}
