public import Foundation

extension Response {
  /// A page.
  public static func html(_ markup: String, status: Status = .ok) -> Response {
    html(Array(markup.utf8), status: status)
  }

  /// A page that is there as bytes in UTF-8.
  public static func html(_ markup: [UInt8], status: Status = .ok) -> Response {
    Response(status, headers: ["Content-Type": "text/html; charset=utf-8"], body: .bytes(markup))
  }

  /// Plain text.
  public static func text(_ text: String, status: Status = .ok) -> Response {
    Response(
      status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: .bytes(Array(text.utf8))
    )
  }

  /// A value as JSON.
  ///
  /// - Throws: What the encoder throws.
  public static func json(
    _ value: some Encodable, status: Status = .ok, encoder: JSONEncoder = JSONEncoder()
  ) throws -> Response {
    Response(
      status, headers: ["Content-Type": "application/json"],
      body: .bytes(Array(try encoder.encode(value))))
  }

  /// Sends the reader on to a page, after a form was posted for example (303).
  public static func redirect(to location: String) -> Response {
    Response(.seeOther, headers: ["Location": location])
  }

  /// Done, and nothing to show (204).
  public static var noContent: Response { Response(.noContent) }

  /// A stream of events (<https://html.spec.whatwg.org/multipage/server-sent-events.html>).
  public static func events(_ channel: EventChannel) -> Response {
    Response(
      .ok, headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"],
      body: .events(channel))
  }
}
