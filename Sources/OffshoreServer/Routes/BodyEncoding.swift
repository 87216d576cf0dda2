import OffshoreHTTP

/// How bodies are encoded on the way.
enum BodyEncoding {
  /// Expects that the body of a request can be read.
  /// - Throws: `HTTPError` with 415, which says what can be read.
  static func check(_ request: Request) throws {
    guard request.headers["Content-Encoding"] == nil else {
      throw HTTPError(.unsupportedMediaType, "Send the body as it is.")
    }
  }
}
