import Foundation
import OffshoreHTTP
import OffshoreWire

/// The encodings of bodies: plain or gzip.
enum BodyEncoding {
  /// Checks that the body of a request can be decoded.
  /// - Throws: `HTTPError` with 415, which names the supported encoding.
  static func check(_ request: Request) throws {
    guard isPlain(request) || isCompressed(request) else {
      throw HTTPError(
        .unsupportedMediaType, "Send the body as it is, or compressed by gzip.",
        headers: ["Accept-Encoding": "gzip"])
    }
  }

  /// The middleware that decompresses the bodies of requests, and compresses responses that become
  /// smaller if the client accepts gzip.
  ///
  /// An `ETag` identifies the exact bytes of a response. So the tag of a compressed one gets a
  /// suffix, which is removed again before handlers see it
  /// (<https://www.rfc-editor.org/rfc/rfc9110#name-example-entity-tags-varying>).
  static var middleware: Middleware {
    Middleware { request, next in
      var plain = request
      // A request that is refused by its head has no body.
      if request.isAdmitted, isCompressed(request) { try decompress(&plain) }
      for name in ["If-Match", "If-None-Match"] {
        plain.headers[name] = plain.headers[name].map { _ in withoutSuffix(plain.headers.all(name))
        }
      }
      var response = try await next(plain)
      compress(&response, for: request)
      return response
    }
  }

  /// Replaces the body of a request by its decompressed bytes.
  /// - Throws: `HTTPError`: 413 if the result is larger than the route allows or than announced, 400
  ///   if the body is not gzip, 503 if the memory of the server is in use.
  private static func decompress(_ request: inout Request) throws {
    // Memory is reserved for the length that the body announces, and it has no more than that.
    let limit = min(request.bodyLimit ?? 1 << 20, Gzip.announcedLength(of: request.body))
    try request.reserve(request.body.count + limit)
    do throws(WireError) {
      request.body = try Gzip.decompress(request.body, limit: limit)
      request.headers["Content-Encoding"] = nil
    } catch {
      throw HTTPError(error.code == .tooLarge ? .contentTooLarge : .badRequest, error.message)
    }
  }

  /// Compresses a response if that makes it smaller.
  ///
  /// NB: Files are left out, because they would be read into memory, and so are partial contents,
  /// whose offsets refer to the plain bytes.
  private static func compress(_ response: inout Response, for request: Request) {
    if response.status == .notModified { return suffixTag(of: &response, for: request) }
    guard case .bytes(let plain) = response.body, plain.count > Gzip.threshold,
      response.status.rawValue != 206, response.headers["Content-Encoding"] == nil
    else { return }
    response.headers.add("Vary", "Accept-Encoding")
    guard accepts(request), let bytes = Gzip.compress(plain), bytes.count < plain.count else {
      return
    }
    response.body = .bytes(bytes)
    response.headers["Content-Encoding"] = "gzip"
    response.headers["ETag"] = response.headers["ETag"].map(withSuffix)
  }

  // MARK: - Tags

  private static let suffix = "-gzip\""

  private static func withSuffix(_ tag: String) -> String {
    tag.hasSuffix("\"") ? String(tag.dropLast()) + suffix : tag
  }

  private static func withoutSuffix(_ values: [String]) -> String {
    values.joined(separator: ", ").replacing(suffix, with: "\"")
  }

  /// Restores the suffix of an unchanged response's tag, so that it equals the client's tag.
  private static func suffixTag(of response: inout Response, for request: Request) {
    guard let tag = response.headers["ETag"].map(withSuffix),
      request.headers.list("If-None-Match").contains(where: { $0.hasSuffix(tag) })
    else { return }
    response.headers["ETag"] = tag
  }

  // MARK: - Request headers

  private static func isPlain(_ request: Request) -> Bool {
    request.headers.all("Content-Encoding").allSatisfy { $0.lowercased() == "identity" }
  }

  private static func isCompressed(_ request: Request) -> Bool {
    request.headers.all("Content-Encoding").map { $0.lowercased() } == ["gzip"]
  }

  /// Returns whether a client accepts gzip
  /// (<https://www.rfc-editor.org/rfc/rfc9110#name-accept-encoding>).
  private static func accepts(_ request: Request) -> Bool {
    let codings = request.headers.list("Accept-Encoding")
    let qualities = codings.reduce(into: [String: Double]()) { qualities, coding in
      let parts = coding.lowercased().filter { $0 != " " && $0 != "\t" }.split(separator: ";")
      guard let name = parts.first else { return }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
      qualities[String(name)] = weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
    }
    return qualities["gzip"] ?? qualities["*"] ?? 0 > 0
  }
}

// MARK: - JSON

extension ServerRoute {
  /// The largest size of a JSON body about accounts and members, in bytes.
  static let formLimit = 16 << 10
}

extension Request {
  /// Decodes the JSON body.
  /// - Throws: `HTTPError` with 415 if the body is of another type; ``AccountError`` with the code
  ///   `malformed`.
  func json<Value: Decodable>(_: Value.Type) throws -> Value {
    guard mediaType == "application/json" else {
      throw HTTPError(.unsupportedMediaType, "Send JSON, as application/json.")
    }
    do {
      return try JSONDecoder().decode(Value.self, from: Data(body))
    } catch {
      throw AccountError(.malformed, "The body is not the JSON that is expected here.")
    }
  }
}

extension Response {
  /// Creates a JSON response that no cache may store.
  static func `private`(_ value: some Encodable, status: Status = .ok) throws -> Response {
    let encoder = JSONEncoder()
    // Equal values are encoded as equal bytes.
    encoder.outputFormatting = .sortedKeys
    var response = try json(value, status: status, encoder: encoder)
    response.headers["Cache-Control"] = "no-store"
    return response
  }
}
