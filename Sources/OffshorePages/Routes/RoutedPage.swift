public import OffshoreHTTP
import OffshorePresentation
public import OffshoreWeb

/// A live page whose forms are posted to its own address.
///
/// The value of `action` in a form selects the operation:
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
  /// The address of another page to show in place of this one; `nil` by default.
  ///
  /// It is read before the page is loaded, and again if loading fails.
  var redirection: String? { get }

  /// Performs a form of the page, and returns when the result is durable.
  /// - Throws: an error to present; `HTTPError` with 400 for a form that no page of the app sends.
  func perform(_ form: PageForm) async throws -> Outcome

  /// Prepares a page that was created for a posted form, before it is loaded.
  ///
  /// An editor fills its form with the typed texts here, which it then shows even if the stored
  /// version was deleted.
  /// - Throws: `HTTPError` with 400 for a form that no page of the app sends.
  func prepare(for form: PageForm) throws

  /// Returns the address to go to if the content of the page does not exist and the form is
  /// therefore without effect, such as a form that deletes the content; `nil` by default.
  func addressIfMissing(for form: PageForm) -> String?
}

extension RoutedPage {
  /// `nil`: shows this page.
  public var redirection: String? { nil }

  /// Does nothing.
  public func prepare(for form: PageForm) throws {}

  /// `nil`: the response is a page that explains why the content does not exist, or 404.
  public func addressIfMissing(for form: PageForm) -> String? { nil }

  /// Refuses every form.
  public func perform(_ form: PageForm) async throws -> Outcome { throw form.unknownAction }
}

/// A form that was posted to a page, with or without files.
public struct PageForm: Sendable {
  /// The text fields in their order.
  public let fields: Fields
  /// The files of all fields in their order.
  let allFiles: [FormData.File]

  /// Creates a form.
  init(_ fields: Fields, files: [FormData.File] = []) {
    self.fields = fields
    allFiles = files
  }

  /// Parses the form of a request.
  /// - Parameter limit: the maximum number of bytes of the form.
  /// - Throws: `HTTPError` with 400, 413 or 415.
  init(_ request: Request, limit: Int) throws {
    var limits = FormData.Limits()
    limits.maximumFields = max(limits.maximumFields, limit / 100)
    let form = try request.formData(limits: limits)
    self.init(form.fields, files: form.files)
  }

  /// The value of the field `action`, or an empty string without it.
  public var action: String { fields["action"] ?? "" }

  /// Returns the text of a field with its line breaks, or an empty string without the field.
  public func text(_ name: String) -> String {
    (fields[name] ?? "").replacing("\r\n", with: "\n")
  }

  /// Returns the files that the user has chosen in a `FileField`, in their order; none if the user
  /// has chosen none.
  ///
  /// The form has to be a `PostForm` that carries files, and ``PageRoute/formLimit`` large enough
  /// for them. Store the bytes, or copy them: they are in the memory of the whole request.
  public func files(_ name: String) -> [FormData.File] { allFiles.filter { $0.name == name } }

  /// Parses the value of a field.
  /// - Throws: `HTTPError` with 400 if the field is missing or cannot be parsed.
  public func value<Value: RouteValue>(_ name: String, as: Value.Type = Value.self) throws -> Value
  {
    guard let value = fields[name].flatMap(Value.init(routeText:)) else {
      throw HTTPError(.badRequest, "The form has no field \(name) of the type \(Value.self).")
    }
    return value
  }

  /// The error for an action that the page does not have.
  public var unknownAction: HTTPError {
    HTTPError(.badRequest, "The form has no field action that a button of the page sends.")
  }
}

extension Router {
  /// A closure that returns a page and a status in place of a page whose content does not exist, or
  /// `nil`.
  ///
  /// The form is `nil` unless one was posted.
  public typealias MissingPage<Route> =
    @MainActor @Sendable (_ route: Route, _ form: PageForm?) async throws -> (
      page: any RoutedPage, status: Response.Status
    )?

  mutating func addPages<Route: PageRoute>(
    _: Route.Type, tabs: TabRegistry, missing: @escaping MissingPage<Route> = { _, _ in nil },
    page: @escaping @MainActor @Sendable (_ route: Route, _ query: Fields) throws -> any RoutedPage
  ) {
    for routeCase in Route.all {
      get(routeCase.pattern) { request in
        let route = try Self.route(routeCase, request)
        do {
          return try await Self.open(request, tabs) { try page(route, request.query) }
        } catch  where error.isAboutMissing {
          let substitute = try await Self.openMissing(request, tabs) {
            try await missing(route, nil)
          }
          guard let substitute else { throw error }
          return substitute
        }
      }
      post(routeCase.pattern, bodyLimit: routeCase.sample.formLimit) { request in
        let route = try Self.route(routeCase, request)
        let form = try PageForm(request, limit: route.formLimit)
        return try await Self.perform(form, at: route.address, request, tabs) {
          try page(route, request.query)
        } missing: {
          try await missing(route, form)
        }
      }
    }
  }

  /// Adds the pages of an app: `GET` of a route's path opens its page, and `POST` performs a form.
  ///
  /// ```swift
  /// router.addPages(ListRoute.self, of: frame) { route, query in
  ///   switch route {
  ///   case .lists: ListsPage(frame)
  ///   case .list(let id): ListPage(frame, id)
  ///   }
  /// }
  /// ```
  ///
  /// It also adds the links into the app, and the address of the undo bar. If the row of a page is
  /// deleted, or access to it ends, another page explains why, also in place of an open page.
  /// - Parameters:
  ///   - routes: the type of the routes.
  ///   - frame: the frame of the pages.
  ///   - missing: returns a page and a status in place of a page whose content does not exist for
  ///     another reason, or `nil`. The page performs the forms that it has; the response to any
  ///     other form is the page with the status.
  ///   - page: returns the page of a route; `query` has the fields of the address.
  public mutating func addPages<Route: PageRoute>(
    _ routes: Route.Type, of frame: AppFrame,
    missing: @escaping MissingPage<Route> = { _, _ in nil },
    page: @escaping @MainActor @Sendable (_ route: Route, _ query: Fields) throws -> any RoutedPage
  ) {
    frame.links.add(routes)
    addUndo(of: frame)
    addPages(routes, tabs: frame.tabs) { route, form in
      if let page = try await frame.unavailablePage(at: route.path) { return (page, .notFound) }
      return try await missing(route, form)
    } page: { route, query in
      @MainActor func observeRows(of content: some RoutedPage) -> any RoutedPage {
        StoredRowsPage(content: content, rows: StoredRows(frame, route.path))
      }
      return observeRows(of: try page(route, query))
    }
  }

  static func route<Route>(
    _ routeCase: RouteCase<Route>, _ request: Request
  ) throws -> Route {
    let values = (0..<request.parameters.count).compactMap { request.parameters["\($0)"] }
    guard let route = routeCase.route(values) else { throw HTTPError(.notFound) }
    return route
  }

  @MainActor private static func open(
    _ request: Request, _ tabs: TabRegistry, status: Response.Status = .ok,
    _ page: @MainActor () throws -> any RoutedPage
  ) async throws -> Response {
    func open(_ page: some RoutedPage) async throws -> Response {
      if let next = page.redirection { return .redirect(to: next) }
      do {
        var response = try await tabs.open(request) { page }
        response.status = status
        return response
      } catch {
        guard let next = page.redirection else { throw error }
        return .redirect(to: next)
      }
    }
    return try await open(page())
  }

  @MainActor private static func openMissing(
    _ request: Request, _ tabs: TabRegistry,
    _ missing: @MainActor () async throws -> (page: any RoutedPage, status: Response.Status)?
  ) async throws -> Response? {
    guard let (page, status) = try await missing() else { return nil }
    return try await open(request, tabs, status: status) { page }
  }

  @MainActor private static func perform(
    _ form: PageForm, at address: String, _ request: Request, _ tabs: TabRegistry,
    _ page: @MainActor () throws -> any RoutedPage,
    missing: @MainActor () async throws -> (page: any RoutedPage, status: Response.Status)?
  ) async throws -> Response {
    let query = request.rawQuery.isEmpty ? "" : "?\(request.rawQuery)"
    func perform<Content: RoutedPage>(on page: Content) async throws -> Response {
      try await tabs.act(request, at: address + query) {
        try page.prepare(for: form)
        return page
      } action: { page in
        try await page.perform(form)
      }
    }
    // NB: A page is created only if none is open, because that may be expensive.
    let open = tabs.page(for: request, at: address + query) as? any RoutedPage
    let page = try open ?? page()
    do {
      return try await perform(on: page)
    } catch  where error.isAboutMissing {
      if let next = page.addressIfMissing(for: form) ?? page.redirection {
        return .redirect(to: next)
      }
      guard let (substitute, status) = try await missing() else { throw error }
      do {
        return try await perform(on: substitute)
      } catch let refusal as HTTPError where refusal.status == .badRequest {
        // NB: For a status other than 200, the script shows the sentence of the error instead of a
        // page.
        if status != .ok, request.headers["Offshore-Tab"] != nil { throw error }
        return try await Self.open(request, tabs, status: status) { substitute }
      }
    }
  }
}

extension Error {
  /// Whether the content of a page does not exist.
  fileprivate var isAboutMissing: Bool {
    [.database(.notFound), .content(.notFound)].contains(asAppError)
  }
}
