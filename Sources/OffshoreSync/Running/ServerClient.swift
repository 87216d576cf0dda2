public import Foundation

/// A client of a server's JSON interface, for apps without a copy of the data.
///
/// ```swift
/// let client = ServerClient(HTTPTransport(server))
/// let row: Row = try await client.fetch(
///   .init("GET", "v1/tables/charters/rows/\(id)"), token: token)
/// ```
///
/// The articles “A server” and “The interface for other clients” of `OffshoreServer` list the
/// routes, and `v1/openapi.json` describes all requests and answers.
public struct ServerClient: Sendable {
  /// A request to a server.
  public struct Request: Sendable {
    /// The method, such as `GET`.
    public let method: String
    /// The path of the route without a slash at the beginning, such as `v1/account`.
    public let path: String
    /// The items of the query.
    public let query: [URLQueryItem]
    let json: Data?
    /// The last component of the path, which may have any characters, or `nil` if ``path`` is
    /// complete.
    var component: String?
    /// Further header fields, by name.
    var fields: [String: String] = [:]

    /// Creates a request without a body.
    public init(_ method: String, _ path: String, query: [URLQueryItem] = []) {
      (self.method, self.path, self.query, json) = (method, path, query, nil)
    }

    /// Creates a request with a JSON body.
    /// - Throws: ``Failure`` with the code `malformed` if the body cannot be encoded as JSON.
    public init(
      _ method: String, _ path: String, query: [URLQueryItem] = [], json body: some Encodable
    ) throws(Failure) {
      (self.method, self.path, self.query) = (method, path, query)
      guard let json = try? JSONEncoder().encode(body) else {
        throw Failure(.malformed, "The request cannot be spelled as JSON. Correct its numbers.")
      }
      self.json = json
    }

    /// Creates a request with a body that is encoded as JSON already.
    init(_ method: String, _ path: String, query: [URLQueryItem], body: [UInt8]?) {
      (self.method, self.path, self.query) = (method, path, query)
      json = body.map { Data($0) }
    }
  }

  private let transport: HTTPTransport
  private let gate: RequestGate

  /// Creates a client that sends requests through a transport.
  /// - Parameter gate: a switch for the requests. While it is closed, every call throws ``Failure``
  ///   with the code `unreachable`.
  public init(_ transport: HTTPTransport, through gate: RequestGate = RequestGate()) {
    self.transport = transport
    self.gate = gate
  }

  /// Sends a request, and decodes the answer.
  /// - Parameter token: the access token, or `nil` for a route that requires none: signing up
  ///   (`POST v1/accounts`), signing in (`POST v1/tokens`) and `GET v1/openapi.json`.
  /// - Throws: ``Failure`` if the request fails, or if the answer cannot be decoded.
  public func fetch<Answer: Decodable>(
    _ request: Request, token: String?
  ) async throws(Failure) -> Answer {
    let bytes = try await bytes(request, token)
    do {
      return try JSONDecoder().decode(Answer.self, from: Data(bytes))
    } catch {
      throw Failure(unreadable: error)
    }
  }

  /// Sends a request, and ignores the body of the answer.
  /// - Parameter token: the access token, or `nil` as for ``fetch(_:token:)``.
  /// - Throws: ``Failure`` if the request fails.
  public func send(_ request: Request, token: String?) async throws(Failure) {
    _ = try await bytes(request, token)
  }

  /// Sends a request, and returns the body of the answer.
  /// - Throws: ``Failure`` if the request fails.
  func bytes(_ request: Request, _ token: String?) async throws(Failure) -> [UInt8] {
    guard gate.isOpen else { throw .switchedOff }
    let answer: HTTPTransport.Answer
    do throws(SyncEngine.Failure) {
      answer = try await transport.send(request, token: token)
    } catch {
      throw Failure(error)
    }
    guard (200..<300).contains(answer.status) else { throw Failure(answer) }
    return answer.bytes
  }
}

extension ServerClient {
  /// The reason why a request failed.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public let code: Code
    /// The problem and its remedy, in a sentence or two of English for developers: the server's
    /// own, if it has sent them.
    ///
    /// For users, convert the failure to an `AppError` of `OffshorePresentation`, which has a text
    /// for each code.
    public let message: String
    /// The status of the answer, if there was one.
    public let status: Int?
    /// The number of seconds to wait before a retry, if the server requests a delay.
    public let retryAfter: Int64?
    /// The column or the parameter of the request that the server refuses, if it has named one. The
    /// message about a column begins with its table and its name, as in “tasks.title”.
    public let field: String?

    /// Creates a failure.
    public init(
      _ code: Code, _ message: String, status: Int? = nil, retryAfter: Int64? = nil,
      field: String? = nil
    ) {
      self.code = code
      self.message = message
      self.status = status
      self.retryAfter = retryAfter
      self.field = field
    }

    init(_ failure: SyncEngine.Failure) {
      self.init(
        Code(rawValue: failure.code.description), failure.message, retryAfter: failure.retryAfter)
    }

    /// The failure of requests while the gate is closed.
    static let switchedOff = Failure(
      .unreachable, "Requests are switched off on this device. Switch them on.")

    /// Creates a failure that names the member of the answer that cannot be decoded.
    init(unreadable error: any Error) {
      let path =
        switch error as? DecodingError {
        case .typeMismatch(_, let context), .dataCorrupted(let context),
          .valueNotFound(_, let context):
          context.codingPath
        case .keyNotFound(let key, let context): context.codingPath + [key]
        default: [any CodingKey]()
        }
      let place = path.map(\.stringValue).joined(separator: ".")
      self.init(
        .malformed, "The server's answer cannot be read\(place.isEmpty ? "" : " at \(place)").")
    }

    /// Creates a failure from the answer of a server, or of a proxy in front of it.
    init(_ answer: HTTPTransport.Answer) {
      struct Problem: Decodable {
        let code: String
        let message: String
        let field: String?
      }
      let (status, wait) = (answer.status, answer.retryAfter)
      if let problem = try? JSONDecoder().decode(Problem.self, from: Data(answer.bytes)) {
        self.init(
          Code(rawValue: problem.code), problem.message, status: status, retryAfter: wait,
          field: problem.field)
      } else {
        self.init(
          Code(status: status), "The server answered with the status \(status).", status: status,
          retryAfter: wait)
      }
    }

    /// The code and the message. It may name the part of a request that the server refuses, so log
    /// only the code if the requests have personal data.
    public var description: String { "\(code.rawValue): \(message)" }
  }
}

extension ServerClient.Failure {
  /// A kind of failure, with the name that the server gives it. A newer server may send names that
  /// are not listed here.
  public struct Code: Hashable, Sendable, RawRepresentable {
    /// The name.
    public let rawValue: String

    /// Creates the code with a name, which may be unknown to this version of the library.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates the code for an answer that does not name one.
    init(status: Int) {
      switch status {
      case 401: self = .unauthorized
      case 429: self = .tooManyRequests
      default: self = .server
      }
    }

    /// The server cannot be reached.
    public static let unreachable = Code(rawValue: "unreachable")
    /// The server did not answer in time.
    public static let timedOut = Code(rawValue: "timedOut")
    /// The request was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")
    /// The answer cannot be decoded, the request cannot be encoded, or the server does not accept a
    /// value in it.
    public static let malformed = Code(rawValue: "malformed")
    /// The server failed, or a proxy in front of it.
    public static let server = Code(rawValue: "server")
    /// The client has sent too many requests.
    public static let tooManyRequests = Code(rawValue: "tooManyRequests")
    /// The name is not valid for an account.
    public static let invalidName = Code(rawValue: "invalidName")
    /// The password is too short or too long.
    public static let weakPassword = Code(rawValue: "weakPassword")
    /// Another account has the name or the id.
    public static let taken = Code(rawValue: "taken")
    /// The account with the id was deleted.
    public static let deleted = Code(rawValue: "deleted")
    /// The name and the password do not match.
    public static let wrongPassword = Code(rawValue: "wrongPassword")
    /// The device is not signed in any more.
    public static let unauthorized = Code(rawValue: "unauthorized")
    /// The account may not do this, or the member to change is not a member of the scope. The code
    /// is the same if the scope does not exist.
    public static let forbidden = Code(rawValue: "forbidden")
    /// The operator of the server has disabled the account.
    public static let disabled = Code(rawValue: "disabled")
    /// Only the operators of the server create accounts.
    public static let signUpClosed = Code(rawValue: "signUpClosed")
    /// The invitation was used, has expired, or never existed.
    public static let invalidInvitation = Code(rawValue: "invalidInvitation")
    /// The scope would be left without an owner.
    public static let lastOwner = Code(rawValue: "lastOwner")
    /// The scope has as many members as its kind allows.
    public static let scopeFull = Code(rawValue: "scopeFull")
    /// The account has as many memberships in scopes of the kind as allowed.
    public static let accountFull = Code(rawValue: "accountFull")
    /// A limit of the account or the scope is reached.
    public static let limitReached = Code(rawValue: "limitReached")
    /// The invitation, row or other resource does not exist (any more), or the account may not read
    /// it.
    public static let notFound = Code(rawValue: "notFound")
    /// The row was deleted.
    public static let gone = Code(rawValue: "gone")
    /// A row with this id exists.
    public static let exists = Code(rawValue: "exists")
    /// The row has another version than the change is for.
    public static let preconditionFailed = Code(rawValue: "preconditionFailed")
    /// Another request had the idempotency key.
    public static let keyReused = Code(rawValue: "keyReused")
    /// The table is not synced, or the server has a manifest without it.
    public static let unknownTable = Code(rawValue: "unknownTable")
    /// The server has a manifest in which the table lacks a column.
    public static let unknownColumn = Code(rawValue: "unknownColumn")
    /// A value cannot be stored in its column.
    public static let invalidValue = Code(rawValue: "invalidValue")
    /// The row may not change in this way, for example its author.
    public static let invalidOp = Code(rawValue: "invalidOp")
    /// The row does not belong to the scope.
    public static let wrongScope = Code(rawValue: "wrongScope")
    /// The row refers to a row that does not exist in its scope.
    public static let missingReference = Code(rawValue: "missingReference")
    /// The row refers to a row that was deleted.
    public static let dependency = Code(rawValue: "dependency")
    /// A value or the row is too large.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// The server cannot answer at the moment.
    public static let unavailable = Code(rawValue: "unavailable")
  }
}
