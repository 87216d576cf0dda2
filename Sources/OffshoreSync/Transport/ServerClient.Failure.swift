import Foundation

extension ServerClient {
  /// Why a server did not do what it was asked for.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public let code: Code
    /// What is wrong and what to do, in a sentence or two.
    public let message: String
    /// The status of the answer, where there was one.
    public let status: Int?
    /// After how many seconds the server says that it is worth trying again.
    public let retryAfter: Int64?

    /// Describes a failure.
    public init(
      _ code: Code, _ message: String, status: Int? = nil, retryAfter: Int64? = nil
    ) {
      self.code = code
      self.message = message
      self.status = status
      self.retryAfter = retryAfter
    }

    init(_ failure: SyncEngine.Failure) {
      self.init(
        Code(rawValue: failure.code.description), failure.message, retryAfter: failure.retryAfter)
    }

    /// Nothing is asked while the gate is shut.
    static let switchedOff = Failure(
      .unreachable, "Requests are switched off on this device. Switch them on.")

    /// Names the member of an answer that cannot be read.
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

    /// Takes the answer of a server, or that of a proxy before it.
    init(_ answer: HTTPTransport.Answer) {
      struct Problem: Decodable {
        let code: String
        let message: String
      }
      let (status, wait) = (answer.status, answer.retryAfter)
      if let problem = try? JSONDecoder().decode(Problem.self, from: Data(answer.bytes)) {
        self.init(
          Code(rawValue: problem.code), problem.message, status: status, retryAfter: wait)
      } else {
        self.init(
          Code(status: status), "The server answered with the status \(status).", status: status,
          retryAfter: wait)
      }
    }

    public var description: String { "\(code.rawValue): \(message)" }
  }
}

extension ServerClient.Failure {
  /// A kind of failure, by the name that the server gives it.
  public struct Code: Hashable, Sendable, RawRepresentable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// What an answer is about that does not say so.
    init(status: Int) {
      switch status {
      case 401: self = .unauthorized
      case 429: self = .tooManyRequests
      default: self = .server
      }
    }

    /// There is no way to the server.
    public static let unreachable = Code(rawValue: "unreachable")
    /// The server did not answer in time.
    public static let timedOut = Code(rawValue: "timedOut")
    /// The request was given up.
    public static let cancelled = Code(rawValue: "cancelled")
    /// The server's answer cannot be read.
    public static let malformed = Code(rawValue: "malformed")
    /// The server failed, or something on the way to it.
    public static let server = Code(rawValue: "server")
    /// It was asked too often.
    public static let tooManyRequests = Code(rawValue: "tooManyRequests")
    /// The name cannot be one of an account.
    public static let invalidName = Code(rawValue: "invalidName")
    /// The password is too short or too long.
    public static let weakPassword = Code(rawValue: "weakPassword")
    /// Another account has the name, or the id.
    public static let taken = Code(rawValue: "taken")
    /// Name and password do not belong together.
    public static let wrongPassword = Code(rawValue: "wrongPassword")
    /// This device is not signed in any more.
    public static let unauthorized = Code(rawValue: "unauthorized")
    /// The account may not do this, or there is no such thing.
    public static let forbidden = Code(rawValue: "forbidden")
    /// Accounts are made by those who run the server.
    public static let signUpClosed = Code(rawValue: "signUpClosed")
    /// The invitation was used, has expired, or never was.
    public static let invalidInvitation = Code(rawValue: "invalidInvitation")
    /// Nobody would be left who may let others in.
    public static let lastOwner = Code(rawValue: "lastOwner")
    /// There are as many as there may be.
    public static let limitReached = Code(rawValue: "limitReached")
    /// There is no such thing, or not any more.
    public static let notFound = Code(rawValue: "notFound")
    /// The row was deleted.
    public static let gone = Code(rawValue: "gone")
    /// There is a row of the id.
    public static let exists = Code(rawValue: "exists")
    /// The server cannot answer now.
    public static let unavailable = Code(rawValue: "unavailable")
  }
}
