public import Foundation

extension Response {
  /// Creates a response with a page.
  public static func html(_ markup: String, status: Status = .ok) -> Response {
    html(Array(markup.utf8), status: status)
  }

  /// Creates a response with a page that is encoded in UTF-8.
  public static func html(_ markup: [UInt8], status: Status = .ok) -> Response {
    Response(status, headers: ["Content-Type": "text/html; charset=utf-8"], body: .bytes(markup))
  }

  /// Creates a response with plain text.
  public static func text(_ text: String, status: Status = .ok) -> Response {
    Response(
      status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: .bytes(Array(text.utf8))
    )
  }

  /// Creates a response with a value as JSON.
  ///
  /// - Throws: the errors of the encoder.
  public static func json(
    _ value: some Encodable, status: Status = .ok, encoder: JSONEncoder = JSONEncoder()
  ) throws -> Response {
    Response(
      status, headers: ["Content-Type": "application/json"],
      body: .bytes(Array(try encoder.encode(value))))
  }

  /// Creates a redirect to a page, for example after a form was posted (303).
  public static func redirect(to location: String) -> Response {
    Response(.seeOther, headers: ["Location": location])
  }

  /// A response without content, for a request that succeeded (204).
  public static var noContent: Response { Response(.noContent) }

  /// Creates a response with a stream of events
  /// (<https://html.spec.whatwg.org/multipage/server-sent-events.html>).
  public static func events(_ channel: EventChannel) -> Response {
    Response(
      .ok, headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"],
      body: .events(channel))
  }
}
