import OffshoreHTTP
import OffshoreWire

/// The description of a route in the OpenAPI document.
struct Operation: Sendable {
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
    static let problem = json(Schema.problem)
  }

  /// A response with one status.
  struct Answer: Sendable {
    let status: Int
    let about: String
    var contents: [Content] = []
    /// The descriptions of header fields, by name.
    var headers: [String: String] = [:]

    init(_ status: Int, _ about: String, _ contents: Content..., headers: [String: String] = [:]) {
      (self.status, self.about, self.contents) = (status, about, contents)
      self.headers = headers
    }

    /// Creates the description of an error response in JSON.
    static func problem(
      _ status: Int, _ about: String, headers: [String: String] = [:]
    ) -> Answer { Answer(status, about, .problem, headers: headers) }
  }

  let method: Request.Method
  /// The pattern of the route.
  let pattern: String
  let summary: String
  var parameters: [Parameter] = []
  var body: Content?
  var answers: [Answer]
  /// Whether the route needs no access token.
  var isOpen = false
  /// Whether error responses are messages for devices rather than JSON.
  var speaksMessages = false

  /// All responses, including those that are common to many routes.
  var allAnswers: [Answer] {
    let told = Set(answers.map(\.status))
    return (answers + usual.filter { !told.contains($0.status) }).sorted { $0.status < $1.status }
  }

  /// The header field of responses after which a retry may succeed.
  static let retryAfter = ["Retry-After": "After how many seconds it is worth trying again."]

  private var usual: [Answer] {
    let form: Content = speaksMessages ? .message : .problem
    var answers = [
      Answer(400, "The request cannot be understood.", form),
      Answer(500, "The server failed.", form),
      Answer(503, "The server cannot answer now.", form, headers: Self.retryAfter),
    ]
    if body != nil {
      answers.append(Answer(413, "The body is too large.", form))
      answers.append(Answer(415, "The body is of another type, or encoded otherwise.", form))
    }
    if isOpen, pattern.hasSuffix("z") || method == .get { return answers }
    answers.append(Answer(429, "That was too often.", form, headers: Self.retryAfter))
    if !isOpen { answers.append(Answer(401, "The token is missing or not valid.", form)) }
    return answers
  }
}

extension Operation.Parameter {
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
