import OffshoreHTTP
import OffshoreWire

/// How bodies are encoded on the way: as they are, or by gzip.
enum BodyEncoding {
  /// Expects that the body of a request can be read.
  /// - Throws: `HTTPError` with 415, which says what can be read.
  static func check(_ request: Request) throws {
    guard isPlain(request) || isCompressed(request) else {
      throw HTTPError(
        .unsupportedMediaType, "Send the body as it is, or compressed by gzip.",
        headers: ["Accept-Encoding": "gzip"])
    }
  }

  /// Decompresses bodies, and compresses answers that are worth it for who can read them.
  static var middleware: Middleware {
    Middleware { request, next in
      var request = request
      if isCompressed(request) { try decompress(&request) }
      var response = try await next(request)
      compress(&response, for: request)
      return response
    }
  }

  /// - Throws: `HTTPError` with 413 for what is larger than the route allows, 400 for what is no gzip.
  private static func decompress(_ request: inout Request) throws {
    do throws(WireError) {
      request.body = try Gzip.decompress(request.body, limit: request.bodyLimit ?? 1 << 20)
      request.headers["Content-Encoding"] = nil
    } catch {
      throw HTTPError(error.code == .tooLarge ? .contentTooLarge : .badRequest, error.message)
    }
  }

  private static func compress(_ response: inout Response, for request: Request) {
    guard response.bytes.count > Gzip.threshold, response.headers["Content-Encoding"] == nil else {
      return
    }
    response.headers.add("Vary", "Accept-Encoding")
    guard accepts(request), let bytes = Gzip.compress(response.bytes),
      bytes.count < response.bytes.count
    else { return }
    response.body = .bytes(bytes)
    response.headers["Content-Encoding"] = "gzip"
  }

  private static func isPlain(_ request: Request) -> Bool {
    request.headers.all("Content-Encoding").allSatisfy { $0.lowercased() == "identity" }
  }

  private static func isCompressed(_ request: Request) -> Bool {
    request.headers.all("Content-Encoding").map { $0.lowercased() } == ["gzip"]
  }

  /// Whether a client can read gzip (<https://www.rfc-editor.org/rfc/rfc9110#name-accept-encoding>).
  private static func accepts(_ request: Request) -> Bool {
    let codings = request.headers.all("Accept-Encoding").flatMap { $0.split(separator: ",") }
    let qualities = codings.reduce(into: [String: Double]()) { qualities, coding in
      let parts = coding.lowercased().filter { $0 != " " && $0 != "\t" }.split(separator: ";")
      guard let name = parts.first else { return }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
      qualities[String(name)] = weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
    }
    return qualities["gzip"] ?? qualities["*"] ?? 0 > 0
  }
}
