/// What a client asks for: method, target, headers, and the whole body.
///
/// The server hands over a request once its body has arrived. A test makes one by itself:
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
  /// The body, all of it.
  public var body: [UInt8]
  /// The numeric address of the client, for example `127.0.0.1`; empty where there is no socket.
  public var remoteAddress: String
  /// What the matched route found in the path, by name and percent-decoded.
  package(set) public var parameters: [String: String] = [:]
  /// The pattern of the route that it is for, for example `charters/:id`; `nil` where there is none.
  package(set) public var route: String?
  /// The path below which the router is mounted that answers, for example `/anyfleet`, which is not part
  /// of ``path`` there; empty for none. See ``Router/mount(_:at:)``.
  package(set) public var base = ""
  /// How many bytes the body may have, where the route says.
  package(set) public var bodyLimit: Int?
  /// Whether its body was taken because of its head; see ``Router/admission``.
  package(set) public var isAdmitted = false
  private var facts: [ObjectIdentifier: any Sendable] = [:]

  /// Makes a request as a client would.
  ///
  /// - Parameter target: A path, and after a question mark a query, both percent-encoded.
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

  /// What was found out about the request on its way, one value of each type.
  ///
  /// ```swift
  /// request[Reader.self] = try await reader(of: request)
  /// ```
  public subscript<Fact: Sendable>(_ type: Fact.Type) -> Fact? {
    get { facts[ObjectIdentifier(type)] as? Fact }
    set { facts[ObjectIdentifier(type)] = newValue }
  }

  /// Path and query as they were sent.
  public var target: String { rawQuery.isEmpty ? path : "\(path)?\(rawQuery)" }

  /// The path without its query, split at the slashes and percent-decoded; a last slash is ignored.
  ///
  /// It is `nil` where the path does not begin with a slash, or a component has a percent sign
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

  /// The names and values of the query; at most ``Fields/maximumCount``, those beyond are ignored.
  public var query: Fields { Fields.decoding(rawQuery.utf8, limit: Fields.maximumCount).fields }

  /// The cookies by name; of two with one name the first counts, as the more specific one.
  public var cookies: [String: String] { Cookie.parse(headers.all("Cookie")) }

  /// The names and values of a form that was posted as `application/x-www-form-urlencoded`.
  ///
  /// Percent signs without two digits stay as they are and bytes that are not UTF-8 become U+FFFD, as
  /// the [URL standard](https://url.spec.whatwg.org/#urlencoded-parsing) says. An empty body without
  /// a content type is an empty form.
  ///
  /// - Throws: ``HTTPError`` with 415 for another content type, 413 for more than
  ///   ``Fields/maximumCount`` fields.
  public var form: Fields { get throws { try form(maximumCount: Fields.maximumCount) } }

  /// ``form`` with another number of fields at the most.
  ///
  /// - Throws: as ``form``.
  public func form(maximumCount: Int) throws -> Fields {
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

  /// The value of a path parameter, for example of `id` in `charters/:id`.
  ///
  /// - Throws: ``HTTPError`` with 404 where the value is not of the type, and with 500 where the route
  ///   has no parameter of that name.
  public func parameter<Value: PathParameter>(
    _ name: String, as type: Value.Type = Value.self
  ) throws -> Value {
    guard let text = parameters[name] else {
      throw HTTPError(.internalServerError, "The route has no parameter \(name). Name it :\(name).")
    }
    guard let value = Value(pathParameter: text) else { throw HTTPError(.notFound) }
    return value
  }

  /// The type and subtype of the content in lower case, without parameters, as `text/html`; `nil` where
  /// the client does not say.
  public var mediaType: String? {
    headers["Content-Type"].map { value in
      ASCII.trimmed(value.prefix { $0 != ";" }).lowercased()
    }
  }
}
