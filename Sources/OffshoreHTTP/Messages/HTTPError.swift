/// An error that states how it is presented to a client.
///
/// Any other error is presented as 500 without details.
public protocol ResponseError: Error {
  /// What the client gets.
  var response: Response { get }
}

/// Ends a request with a status and a message for the reader.
///
/// ```swift
/// guard let charter else { throw HTTPError(.notFound, "This charter was deleted.") }
/// ```
public struct HTTPError: ResponseError, Equatable, CustomStringConvertible {
  /// The outcome.
  public let status: Response.Status
  /// A sentence or two for the reader, shown for statuses below 500 only.
  public let message: String
  /// Fields to send along, for example `Retry-After`.
  public let headers: Headers

  /// Makes an error; without a message it explains the status in general words.
  public init(_ status: Response.Status, _ message: String? = nil, headers: Headers = [:]) {
    self.status = status
    self.message = message ?? status.explanation
    self.headers = headers
  }

  /// Plain text with the message; of a failure of the server the reader learns no details.
  public var response: Response {
    let isOurs = status.rawValue >= 500
    var response = Response.text(isOurs ? status.explanation : message, status: status)
    for field in headers.fields { response.headers.add(field.name, field.value) }
    return response
  }

  /// The status and the message.
  public var description: String { "\(status): \(message)" }
}

extension Response {
  /// The response that an error states, or 500 without details.
  public init(presenting error: any Error) {
    self = (error as? any ResponseError)?.response ?? HTTPError(.internalServerError).response
  }
}
