public import OffshoreHTTP
public import OffshoreWeb

/// A live page whose forms are posted to its own address.
///
/// A form says by the value of `action` what is asked for:
///
/// ```swift
/// func perform(_ form: PageForm) async throws -> Outcome {
///   switch form.action {
///   case "pack": try await model.pack(try form.value("item"))
///   default: throw form.unknownAction
///   }
///   return .done
/// }
/// ```
@MainActor public protocol RoutedPage: LivePage {
  /// The address of another page that is shown in place of this one; `nil` unless stated.
  var redirection: String? { get }

  /// Does what a form of the page asks for, and returns when that is durable.
  /// - Throws: an error to present; `HTTPError` with 400 for a form that no page of the app sends.
  func perform(_ form: PageForm) async throws -> Outcome
}

extension RoutedPage {
  /// Shows this page.
  public var redirection: String? { nil }

  /// Refuses every form.
  public func perform(_ form: PageForm) async throws -> Outcome { throw form.unknownAction }
}

/// The fields of a form that was posted.
public struct PageForm: Sendable {
  /// The fields in their order.
  public let fields: Fields

  /// Makes a form.
  public init(_ fields: Fields) { self.fields = fields }

  /// The value of the field `action`, which names what is asked for; empty if there is none.
  public var action: String { fields["action"] ?? "" }

  /// The text of a field, with line breaks as typed; empty if there is none.
  public func text(_ name: String) -> String {
    (fields[name] ?? "").replacing("\r\n", with: "\n")
  }

  /// The value of a field.
  /// - Throws: `HTTPError` with 400 if there is no such field or it is not of the type.
  public func value<Value: RouteValue>(_ name: String, as: Value.Type = Value.self) throws -> Value
  {
    guard let value = fields[name].flatMap(Value.init(routeText:)) else {
      throw HTTPError(.badRequest, "The form has no field \(name) of the type \(Value.self).")
    }
    return value
  }

  /// The error for an action that the page does not know.
  public var unknownAction: HTTPError {
    HTTPError(.badRequest, "The form has no field action that a button of the page sends.")
  }
}

extension Router {
  /// Adds the pages of an app: `GET` of a route's path opens its page, `POST` lets it perform a form.
  ///
  /// ```swift
  /// router.addPages(ListRoute.self, tabs: tabs) { route, query in
  ///   switch route {
  ///   case .lists: ListsPage(app)
  ///   case .list(let id): ListPage(app, id)
  ///   }
  /// }
  /// ```
  /// - Parameter page: makes the page of a route; `query` has the fields of the address.
  public mutating func addPages<Route: PageRoute>(
    _ routes: Route.Type, tabs: TabRegistry,
    page: @escaping @MainActor @Sendable (_ route: Route, _ query: Fields) throws -> any RoutedPage
  ) {
    addPages(routes, tabs: tabs, frame: nil, page: page)
  }

  private mutating func addPages<Route: PageRoute>(
    _: Route.Type, tabs: TabRegistry, frame: AppFrame?,
    page: @escaping @MainActor @Sendable (_ route: Route, _ query: Fields) throws -> any RoutedPage
  ) {
    for routeCase in Route.all {
      get(routeCase.pattern) { request in
        let route = try Self.route(routeCase, request)
        return try await Self.open(request, tabs) { try page(route, request.query) }
      }
      post(routeCase.pattern, bodyLimit: routeCase.sample.formLimit) { request in
        let route = try Self.route(routeCase, request)
        let form = PageForm(try request.form(maximumCount: max(1_000, route.formLimit / 100)))
        return try await Self.perform(form, at: route.address, request, tabs, frame) {
          try page(route, request.query)
        }
      }
    }
  }

  /// Adds the pages of an app whose frame offers to undo removals.
  ///
  /// The forms of the undo bar are posted to the page that shows it, and answered by its frame. Links into
  /// the app lead to the pages.
  public mutating func addPages<Route: PageRoute>(
    _ routes: Route.Type, of frame: AppFrame,
    page: @escaping @MainActor @Sendable (_ route: Route, _ query: Fields) throws -> any RoutedPage
  ) {
    frame.links.add(routes)
    addPages(routes, tabs: frame.tabs, frame: frame, page: page)
  }

  private static func route<Route>(
    _ routeCase: RouteCase<Route>, _ request: Request
  ) throws -> Route {
    let values = (0..<request.parameters.count).compactMap { request.parameters["\($0)"] }
    guard let route = routeCase.route(values) else { throw HTTPError(.notFound) }
    return route
  }

  @MainActor private static func open(
    _ request: Request, _ tabs: TabRegistry, _ page: @MainActor () throws -> any RoutedPage
  ) async throws -> Response {
    func open(_ page: some RoutedPage) async throws -> Response {
      if let next = page.redirection { return .redirect(to: next) }
      return try await tabs.open(request) { page }
    }
    return try await open(page())
  }

  @MainActor private static func perform(
    _ form: PageForm, at address: String, _ request: Request, _ tabs: TabRegistry,
    _ frame: AppFrame?, _ page: @MainActor () throws -> any RoutedPage
  ) async throws -> Response {
    let query = request.rawQuery.isEmpty ? "" : "?\(request.rawQuery)"
    func perform<Content: RoutedPage>(on page: Content) async throws -> Response {
      try await tabs.act(request, at: address + query) {
        page
      } action: { page in
        if let frame, AppFrame.isUndo(form) { return try await frame.performUndo(form) }
        return try await page.perform(form)
      }
    }
    return try await perform(on: page())
  }
}
