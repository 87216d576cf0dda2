public import OffshoreHTTP

extension Router {
  /// Adds the downloads of an app: `GET` of a route's path responds with a file.
  ///
  /// ```swift
  /// router.addDownloads(ExportRoute.self) { route, _ in
  ///   switch route {
  ///   case .month(let month):
  ///     let file = try await shifts.file(of: month.days)
  ///     return .download(
  ///       .bytes(Array(file.text.utf8)), named: "\(month).ics", type: CalendarFile.mediaType)
  ///   }
  /// }
  /// ```
  ///
  /// Links to them have the attribute `download`, so that the browser stays on the page. An error is
  /// presented as those of pages.
  /// - Parameters:
  ///   - routes: the type of the routes, which have no pages.
  ///   - file: returns the response of a route, as `Response.download` creates it; `query` has the
  ///     fields of the address.
  public mutating func addDownloads<Route: PageRoute>(
    _ routes: Route.Type,
    file: @escaping @MainActor @Sendable (_ route: Route, _ query: Fields) async throws -> Response
  ) {
    for routeCase in Route.all {
      get(routeCase.pattern) { request in
        try await file(Self.route(routeCase, request), request.query)
      }
    }
  }
}
