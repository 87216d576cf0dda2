public import OffshoreHTTP

extension Router {
  /// Adds the routes that live pages need: the streams of changes, the stylesheet, the script, and
  /// icons.
  public mutating func addLivePages(_ tabs: TabRegistry) {
    get("live/:tab") { try await tabs.stream($0) }
    // Browsers request it even if no page refers to it.
    get("favicon.ico") { _ in .noContent }
    get("assets/:file") { try WebAssets.file(named: $0.parameter("file")).response(to: $0) }
    get("assets/icons/:file") { try tabs.icons.response(for: $0.parameter("file")) }
  }
}
