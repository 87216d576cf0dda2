import Offshore
import OffshoreHTTP
import OffshoreWire

/// An error as a client sees it: enough to correct a request, without details of the server.
struct ServerProblem {
  private let status: Response.Status
  private let code: String
  private let text: String
  private let retryAfter: Int64?
  private var field: String?
  private let error: any Error

  init(_ error: any Error) {
    self.error = error
    switch error {
    case let error as WireProblem:
      (status, code, text) = (
        Response.Status(rawValue: error.code.status), error.code.rawValue, error.message
      )
      retryAfter = error.retryAfter
    case let error as AccountError:
      (status, code, text) = (error.status, error.code.description, error.message)
      retryAfter = error.code == .unavailable ? 60 : nil
    case let error as ResourceError:
      (status, code, text) = (error.status, error.code, error.message)
      (retryAfter, field) = (nil, error.field)
    case let error as HTTPError where error.status.rawValue < 500:
      (status, code, text) = (error.status, "http", error.message)
      retryAfter = nil
    case let error as HTTPError where error.status == .serviceUnavailable:
      (status, code, text) = (
        error.status, WireProblem.Code.unavailable.rawValue, error.message
      )
      retryAfter = error.headers["Retry-After"].flatMap { Int64($0) }
    case _ where Self.isTransient(error):
      (status, code) = (.serviceUnavailable, WireProblem.Code.unavailable.rawValue)
      text = "The server cannot store anything now. Try again later."
      retryAfter = 5
    case is CancellationError:
      (status, code) = (.serviceUnavailable, WireProblem.Code.unavailable.rawValue)
      (text, retryAfter) = ("The request was cancelled. Try again.", 1)
    default:
      (status, code) = (.internalServerError, WireProblem.Code.internalError.rawValue)
      text = "The server failed. Try again later."
      retryAfter = nil
    }
  }

  /// Whether the server failed, so that its operator needs to know the cause.
  var isFailure: Bool {
    status.isFailure && !(error is HTTPError) && !(error is CancellationError)
  }

  /// Returns whether a storage error may not occur again on a retry.
  private static func isTransient(_ error: any Error) -> Bool {
    switch error {
    case let error as DatabaseError: error.code == .busy || error.code == .diskFull
    case let error as BlobFileError: error.isTransient
    default: false
    }
  }

  /// The response for users and tools: JSON with `code`, `message`, and the `field` concerned.
  var response: Response {
    struct Body: Encodable {
      let code: String
      let message: String
      let field: String?
    }
    var response =
      (try? Response.private(Body(code: code, message: text, field: field), status: status))
      ?? .text(text, status: status)
    if let error = error as? ResourceError {
      response.headers["ETag"] = error.entityTag?.text
      response.headers["Upload-Offset"] = error.uploadOffset.map { "\($0)" }
    }
    return finished(response)
  }

  /// The response for devices: a `WireProblem`.
  var message: Response {
    let code: WireProblem.Code =
      switch error {
      case let error as WireProblem: error.code
      case let error as AccountError where error.code == .unauthorized: .unauthorized
      case let error as AccountError where error.code == .unavailable: .unavailable
      case is AccountError: .forbidden
      case let error as HTTPError where error.status == .contentTooLarge: .tooLarge
      case let error as HTTPError where error.status.rawValue < 500: .malformed
      default: status == .serviceUnavailable ? .unavailable : .internalError
      }
    let problem = WireProblem(code, text, retryAfter: retryAfter)
    return finished(
      .message(
        problem, status: error is HTTPError ? status : Response.Status(rawValue: code.status)))
  }

  private func finished(_ response: Response) -> Response {
    var response = response
    if let other = error as? HTTPError {
      for field in other.headers.fields { response.headers.add(field.name, field.value) }
    }
    response.headers["Cache-Control"] = "no-store"
    response.headers["Retry-After"] = retryAfter.map { "\($0)" }
    if response.status == .unauthorized { response.headers["WWW-Authenticate"] = "Bearer" }
    return response
  }
}

extension AccountError {
  fileprivate var status: Response.Status {
    switch code {
    case .invalidName, .weakPassword: .unprocessableContent
    case .taken, .deleted, .lastOwner, .limitReached, .scopeFull, .accountFull: .conflict
    case .wrongPassword, .unauthorized: .unauthorized
    case .invalidInvitation, .notFound: .notFound
    case .malformed: .badRequest
    case .unavailable: .serviceUnavailable
    default: .forbidden
    }
  }
}

extension Response.Status {
  /// Whether the status reports a failure of the server. 505 and 507 are about the request.
  var isFailure: Bool { self == .internalServerError || self == .serviceUnavailable }
}
