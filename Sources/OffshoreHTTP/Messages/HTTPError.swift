/// An error with a response for the client.
///
/// Any other error is answered with 500 without details.
public protocol ResponseError: Error {
  /// The response for the client.
  var response: Response { get }
}

/// An error that ends a request with a status and a message for the user.
///
/// ```swift
/// guard let charter else { throw HTTPError(.notFound, "This charter was deleted.") }
/// ```
public struct HTTPError: ResponseError, Equatable, CustomStringConvertible {
  /// The status of the response.
  public let status: Response.Status
  /// A sentence or two for the user, sent only if the status is below 500.
  public let message: String
  /// Additional header fields, for example `Retry-After`.
  public let headers: Headers

  /// Creates an error. The default message is a general explanation of the status.
  public init(_ status: Response.Status, _ message: String? = nil, headers: Headers = [:]) {
    self.status = status
    self.message = message ?? status.explanation
    self.headers = headers
  }

  /// A response with the message as plain text. Details of a failure of the server are left out.
  public var response: Response {
    let isServerFailure = status.rawValue >= 500
    var response = Response.text(isServerFailure ? status.explanation : message, status: status)
    for field in headers.fields { response.headers.add(field.name, field.value) }
    return response
  }

  /// The status and the message.
  public var description: String { "\(status): \(message)" }
}

extension Response {
  /// Creates the response for an error without details of the server: that of a ``ResponseError``,
  /// 503 for a `CancellationError`, and else 500.
  public init(presenting error: any Error) {
    let other = HTTPError(
      error is CancellationError ? .serviceUnavailable : .internalServerError)
    self = ((error as? any ResponseError) ?? other).response
  }
}
