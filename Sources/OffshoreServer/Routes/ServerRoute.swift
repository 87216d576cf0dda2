import OffshoreHTTP
import OffshoreWire

/// A route of a server: its handler, its limits and its description.
///
/// A server's router and its OpenAPI document are both made from its routes.
struct ServerRoute: Sendable {
  /// The proof of identity that a route asks for.
  enum Access: Sendable {
    /// An access token.
    case token
    /// A name and a password in the body. Requests are limited by network.
    case credentials
    /// None.
    case open
  }

  /// A parameter in the path, the query or a header field.
  struct Parameter: Sendable {
    enum Place: String, Sendable { case path, query, header }

    let name: String
    let place: Place
    let about: String
    var schema: JSONNode = ["type": "string"]
    var isRequired = false
  }

  /// The content of a request or a response.
  struct Content: Sendable {
    let type: String
    /// The schema of JSON content; `nil` for other types.
    var schema: JSONNode?

    static func json(_ schema: JSONNode) -> Content {
      Content(type: "application/json", schema: schema)
    }

    static let text = Content(type: "text/plain; charset=utf-8")
    static let metrics = Content(type: "text/plain; version=0.0.4; charset=utf-8")
    static let message = Content(type: WireProtocol.contentType)
    static let events = Content(type: "text/event-stream")
    static let bytes = Content(type: "application/octet-stream")
    static let problem = json(JSONSchema.problem)

    /// Whether the content is a message for devices.
    var isMessage: Bool { type == WireProtocol.contentType }
  }

  /// A response with one status.
  struct Answer: Sendable {
    let status: Int
    let about: String
    var contents: [Content] = []
    /// The descriptions of header fields, by name.
    var headers: [String: String] = [:]

    /// Creates the description of a response.
    static func answer(
      _ status: Int, _ about: String, _ contents: Content..., headers: [String: String] = [:]
    ) -> Answer { Answer(status: status, about: about, contents: contents, headers: headers) }

    /// Creates the description of an error response in JSON.
    static func problem(
      _ status: Int, _ about: String, headers: [String: String] = [:]
    ) -> Answer { answer(status, about, .problem, headers: headers) }
  }

  let method: Request.Method
  /// The pattern of the path; a component that begins with a colon is a parameter.
  let pattern: String
  let summary: String
  let access: Access
  let parameters: [Parameter]
  let body: Content?
  /// The largest size of the body in bytes; `nil` is the limit of the HTTP server.
  let bodyLimit: Int?
  let answers: [Answer]
  /// The content of error responses.
  let errors: Content
  /// The closure that answers admitted requests.
  var handler: Handler

  /// Declares a route that needs an access token.
  init(
    _ method: Request.Method, _ pattern: String, _ summary: String, parameters: [Parameter] = [],
    body: Content? = nil, bodyLimit: Int? = nil, answers: [Answer], errors: Content = .problem,
    handler: @escaping @Sendable (Request, Caller) async throws -> Response
  ) {
    self.init(
      method, pattern, summary, access: .token, parameters: parameters, body: body,
      bodyLimit: bodyLimit, answers: answers, errors: errors
    ) { request in
      guard let caller = request[Caller.self] else { throw Caller.missingToken }
      return try await handler(request, caller)
    }
  }

  /// Declares a route.
  init(
    _ method: Request.Method, _ pattern: String, _ summary: String, access: Access,
    parameters: [Parameter] = [], body: Content? = nil, bodyLimit: Int? = nil, answers: [Answer],
    errors: Content = .problem, handler: @escaping Handler
  ) {
    self.method = method
    self.pattern = pattern
    self.summary = summary
    self.access = access
    self.parameters = parameters
    self.body = body
    self.bodyLimit = bodyLimit
    self.answers = answers
    self.errors = errors
    self.handler = handler
  }
}

// MARK: - Responses

extension ServerRoute {
  /// The description of all responses, including those that are common to many routes.
  var allAnswers: [Answer] {
    let own = Set(answers.map(\.status))
    return (answers + usualAnswers.filter { !own.contains($0.status) })
      .sorted { $0.status < $1.status }
  }

  /// The header field of responses after which a retry may succeed.
  static let retryAfter = ["Retry-After": "After how many seconds it is worth trying again."]

  private var usualAnswers: [Answer] {
    var answers: [Answer] = [
      .answer(400, "The request cannot be understood.", errors),
      .answer(500, "The server failed.", errors),
      .answer(503, "The server cannot answer now.", errors, headers: Self.retryAfter),
    ]
    if body != nil {
      answers.append(.answer(413, "The body is too large.", errors))
      answers.append(.answer(415, "The body is of another type, or encoded otherwise.", errors))
    }
    if access != .open {
      answers.append(.answer(429, "That was too often.", errors, headers: Self.retryAfter))
    }
    if access == .token {
      answers.append(.answer(401, "The token is missing or not valid.", errors))
    }
    return answers
  }
}

extension ServerRoute.Parameter {
  static func path(_ name: String, _ about: String) -> Self {
    Self(name: name, place: .path, about: about, isRequired: true)
  }

  static func query(
    _ name: String, _ about: String, _ schema: JSONNode = ["type": "string"],
    isRequired: Bool = false
  ) -> Self {
    Self(name: name, place: .query, about: about, schema: schema, isRequired: isRequired)
  }

  static func header(
    _ name: String, _ about: String, _ schema: JSONNode = ["type": "string"]
  ) -> Self { Self(name: name, place: .header, about: about, schema: schema) }
}
