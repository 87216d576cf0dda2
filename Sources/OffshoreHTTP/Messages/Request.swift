public import Foundation

/// A request of a client: method, target, headers, and the whole body.
///
/// The server passes a request to its handler after the body has arrived. A test creates one
/// itself:
///
/// ```swift
/// let response = await router.respond(to: Request(.get, "/charters?sort=name"))
/// ```
public struct Request: Sendable {
  /// The method, for example `GET`.
  public var method: Method
  /// The path as it was sent, percent-encoded and without the query.
  public var path: String
  /// The query as it was sent, percent-encoded and without the question mark.
  public var rawQuery: String
  /// The header fields in the order in which they arrived.
  public var headers: Headers
  /// The whole body.
  public var body: [UInt8]
  /// The numeric address of the client, for example `127.0.0.1`; empty if there is no socket.
  public var remoteAddress: String
  /// The values of the path's parameters by name, percent-decoded.
  package(set) public var parameters: [String: String] = [:]
  /// The pattern of the matched route, for example `charters/:id`, or `nil` if no route matches.
  package(set) public var route: String?
  /// The path at which the responding router is mounted, for example `/anyfleet`; empty if it is
  /// not.
  ///
  /// In the handlers of that router, it is not part of ``path``. See ``Router/mount(_:at:)``.
  package(set) public var base = ""
  /// The maximum number of bytes of the body, if the route sets a limit.
  package(set) public var bodyLimit: Int?
  /// The client whose share of the server's memory the request uses; by default its address.
  package var client: String?
  /// The memory of the request and its response, if a server has received it.
  package var reservation: MemoryBudget.Reservation?
  /// Whether the head of the request was accepted; see ``Router/admission``.
  package var isAdmitted = false
  private var values: [ObjectIdentifier: any Sendable] = [:]

  /// Creates a request as a client would send it.
  ///
  /// - Parameter target: a path, followed by a question mark and a query if there is one,
  ///   percent-encoded.
  public init(
    _ method: Method, _ target: String, headers: Headers = [:], body: [UInt8] = [],
    remoteAddress: String = ""
  ) {
    self.method = method
    let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
    path = mark.map { String(target[..<$0]) } ?? target
    rawQuery = mark.map { String(target[target.utf8.index(after: $0)...]) } ?? ""
    self.headers = headers
    self.body = body
    self.remoteAddress = remoteAddress
  }

  /// Changes the number of bytes that are reserved for the request and its response.
  ///
  /// - Throws: ``HTTPError`` with 503 and `Retry-After` if the server holds too many bytes.
  package func reserve(_ count: Int) throws {
    guard reservation?.resize(to: count) != false else { throw MemoryBudget.exhausted }
  }

  /// A value that admission or middleware stored for later handlers, one for each type.
  ///
  /// ```swift
  /// request[Reader.self] = try await reader(of: request)
  /// ```
  public subscript<Value: Sendable>(_ type: Value.Type) -> Value? {
    get { values[ObjectIdentifier(type)] as? Value }
    set { values[ObjectIdentifier(type)] = newValue }
  }

  /// The path and the query as they were sent.
  public var target: String { rawQuery.isEmpty ? path : "\(path)?\(rawQuery)" }

  /// The components of the path, percent-decoded. A slash at the end is ignored.
  ///
  /// It is `nil` if the path does not begin with a slash, or if a component has a percent sign
  /// without two hexadecimal digits, is not UTF-8, or contains NUL.
  public var components: [String]? {
    guard path.utf8.first == UInt8(ascii: "/") else { return nil }
    var parts = path.utf8.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if parts.last?.isEmpty == true { parts.removeLast() }
    var decoded: [String] = []
    decoded.reserveCapacity(parts.count)
    for part in parts {
      guard let text = PercentEncoding.decode(part) else { return nil }
      decoded.append(text)
    }
    return decoded
  }

  /// The fields of the query. Those beyond ``Fields/maximumCount`` are ignored.
  public var query: Fields { Fields.decoding(rawQuery.utf8, limit: Fields.maximumCount).fields }

  /// The cookies by name. If a name occurs twice, the first value counts, which is more specific.
  public var cookies: [String: String] { Cookie.parse(headers.all("Cookie")) }

  /// The fields of a form that was posted as `application/x-www-form-urlencoded`.
  ///
  /// A form with files has another encoding; ``formData(limits:)`` parses both.
  ///
  /// Percent signs without two digits are retained and bytes that are not UTF-8 become U+FFFD, as
  /// the [URL standard](https://url.spec.whatwg.org/#urlencoded-parsing) requires. An empty body
  /// without a content type is an empty form.
  ///
  /// - Throws: ``HTTPError`` with 415 for another content type, or 413 for more than
  ///   ``Fields/maximumCount`` fields.
  public var form: Fields { get throws { try form(maximumCount: Fields.maximumCount) } }

  /// Parses the ``form`` with another limit for the number of fields.
  ///
  /// - Throws: the errors of ``form``.
  package func form(maximumCount: Int) throws -> Fields {
    if mediaType == nil, body.isEmpty { return Fields() }
    guard mediaType == "application/x-www-form-urlencoded" else {
      throw HTTPError(
        .unsupportedMediaType, "Send the form as application/x-www-form-urlencoded.")
    }
    let (fields, isComplete) = Fields.decoding(body, limit: maximumCount)
    guard isComplete else {
      throw HTTPError(.contentTooLarge, "The form has too many fields.")
    }
    return fields
  }

  /// Parses a form that was posted as `multipart/form-data`, with or without files, or like
  /// ``form``.
  ///
  /// In texts, bytes that are not UTF-8 become U+FFFD.
  ///
  /// - Parameter limits: the limits besides that of the route for the body.
  /// - Throws: ``HTTPError`` with 415 for another content type, 413 if a limit is exceeded, or 400
  ///   if the form is incomplete or malformed.
  public func formData(limits: FormData.Limits = FormData.Limits()) throws -> FormData {
    guard mediaType == "multipart/form-data", let contentType = headers["Content-Type"] else {
      return FormData(fields: try form(maximumCount: limits.maximumFields), files: [])
    }
    return try MultipartParser.parse(body, contentType: contentType, limits: limits)
  }

  /// Returns the value of a path parameter, for example of `id` in `charters/:id`.
  ///
  /// - Throws: ``HTTPError`` with 404 if the value is not of the type, or 500 if the route has no
  ///   parameter of that name.
  public func parameter<Value: PathParameter>(
    _ name: String, as type: Value.Type = Value.self
  ) throws -> Value {
    guard let text = parameters[name] else {
      throw HTTPError(.internalServerError, "The route has no parameter \(name). Name it :\(name).")
    }
    guard let value = Value(pathParameter: text) else { throw HTTPError(.notFound) }
    return value
  }

  /// The media type of the content in lower case, without parameters, as `text/html`; `nil` if the
  /// client did not send it.
  public var mediaType: String? { headers.mediaType }
}

extension Request {
  /// The method of a request. Names are case-sensitive.
  public struct Method: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    /// The name as it is sent, for example `GET`.
    public let rawValue: String

    /// Creates a method with a name that has no constant here.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Retrieves a resource without its content.
    public static let head = Method(rawValue: "HEAD")
    /// Retrieves a resource.
    public static let get = Method(rawValue: "GET")
    /// Submits content to be processed.
    public static let post = Method(rawValue: "POST")
    /// Stores the body at the path.
    public static let put = Method(rawValue: "PUT")
    /// Changes a part of the resource at the path.
    public static let patch = Method(rawValue: "PATCH")
    /// Deletes the resource at the path.
    public static let delete = Method(rawValue: "DELETE")
    /// Retrieves the methods that a path supports.
    public static let options = Method(rawValue: "OPTIONS")

    /// Whether the method only reads (<https://www.rfc-editor.org/rfc/rfc9110#name-safe-methods>).
    public var isSafe: Bool { self == .get || self == .head || self == .options }

    /// The name as it is sent.
    public var description: String { rawValue }
  }
}

/// A type whose values can be components of a path, as the id in `charters/:id`.
public protocol PathParameter {
  /// Parses a percent-decoded component, or returns `nil` if it is not a value of the type.
  init?(pathParameter text: String)
}

extension PathParameter where Self: LosslessStringConvertible {
  /// Creates the value whose description is the text.
  public init?(pathParameter text: String) { self.init(text) }
}

extension PathParameter where Self: RawRepresentable, RawValue == String {
  /// Creates the value whose raw value is the text.
  public init?(pathParameter text: String) { self.init(rawValue: text) }
}

extension String: PathParameter {}

extension Int: PathParameter {}

extension UUID: PathParameter {
  /// Parses the usual form of 36 characters.
  // NB: Foundation accepts some other texts too, for example one that ends with “0X” for “00”.
  public init?(pathParameter text: String) {
    self.init(uuidString: text)
    guard uuidString == text.uppercased() else { return nil }
  }
}
