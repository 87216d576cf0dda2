import Foundation
public import OffshorePresentation
import Synchronization

/// The links into an app, such as `anyfleet://lists/7`.
///
/// Each page that is added to a router with the app's frame has a link: the scheme and its path.
public final class AppLinks: Sendable {
  /// Returns the address of the page of a link, or `nil` if the link leads to none.
  private typealias Resolver = @MainActor @Sendable (DeepLink) -> String?

  /// The scheme of the links, such as `anyfleet`.
  package let scheme: String
  private let resolvers: Mutex<[Resolver]>

  /// Creates links.
  ///
  /// - Parameters:
  ///   - scheme: the scheme, such as `anyfleet`.
  ///   - resolver: returns the address of the page for a link whose path is not the path of a page,
  ///     or `nil` if the link leads to none.
  public init(scheme: String, resolver: (@MainActor @Sendable (DeepLink) -> String?)? = nil) {
    self.scheme = scheme
    resolvers = Mutex(resolver.map { [$0] } ?? [])
  }

  /// Adds the links to pages: their paths, with any query.
  func add<Route: PageRoute>(_: Route.Type) {
    resolvers.withLock {
      $0.append { link in Route(components: link.path).map { _ in link.relative } }
    }
  }

  /// Returns the link to the page for joining, with the code of an invitation:
  /// `anyfleet://join?code=…`.
  func invitation(_ code: String) -> String {
    DeepLink(["join"], query: ["code": code]).url(scheme: scheme)
  }

  /// Returns the address of the page of a link.
  ///
  /// Web addresses are refused, because any text may be pasted here. A link without a path is
  /// refused, because it only opens the app, which is open already.
  /// - Throws: `ContentError`: `unreadable` if the text is not a link, `notFound` if it leads to no
  ///   page.
  @MainActor func address(of link: String) throws(ContentError) -> String {
    guard !["http:", "https:"].contains(where: { link.lowercased().hasPrefix($0) }) else {
      throw .notFound
    }
    let link = try DeepLink(link, scheme: scheme)
    let resolvers = resolvers.withLock(\.self)
    guard !link.path.isEmpty, let address = resolvers.lazy.compactMap({ $0(link) }).first else {
      throw .notFound
    }
    return address
  }
}
