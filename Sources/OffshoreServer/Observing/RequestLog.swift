import Foundation
import Offshore
import OffshoreHTTP
import OffshoreLogging
import OffshoreWire

/// The time and the identifier of a request.
struct RequestTrace: Sendable {
  /// The client's `X-Request-ID` if it is well-formed, or else a random UUID.
  let id: String
  let time: ContinuousClock.Instant

  init(_ request: Request) {
    time = .now
    id =
      request.headers["X-Request-ID"].flatMap { Self.isWellFormed($0) ? $0 : nil }
      ?? UUID().uuidString.lowercased()
  }

  private static func isWellFormed(_ id: String) -> Bool {
    1...64 ~= id.utf8.count
      && id.utf8.allSatisfy { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
          || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-_.".utf8.contains(byte)
      }
  }
}

/// The log entries and metrics of requests, and the responses to errors.
struct RequestLog: Sendable {
  private let server: SyncServer
  /// The patterns of the routes whose errors are messages for devices rather than JSON.
  private let messagePatterns: Set<String>

  init(_ server: SyncServer, _ routes: [ServerRoute] = []) {
    self.server = server
    messagePatterns = Set(routes.filter { $0.errors.isMessage }.map(\.pattern))
  }

  /// The middleware that counts and logs each request, and adds its identifier to the response.
  var middleware: Middleware {
    Middleware { request, next in
      let trace = request[RequestTrace.self] ?? RequestTrace(request)
      var response = try await next(request)
      response.headers["X-Request-ID"] = trace.id
      write(request, response, trace)
      return response
    }
  }

  private func write(_ request: Request, _ response: Response, _ trace: RequestTrace) {
    let duration = trace.time.duration(to: .now)
    let method = Self.methodName(request)
    let route = request.route.map { "/\($0)" }
    server.metrics.countRequest(
      ServerMetrics.Outcome(
        method: method, route: route ?? "", status: response.status.rawValue),
      lasting: duration / .seconds(1))
    write(
      response.status.isFailure ? .error : .info, "request",
      [
        .text("request", trace.id), server.configuration.app.map { .text("app", $0) },
        .text("method", method), route.map { .text("route", $0) },
        .count("status", response.status.rawValue),
        .number("milliseconds", duration / .milliseconds(1)),
        .count("bytes", response.byteCount),
        request[Caller.self].map { .text("account", "\($0.account)") },
      ])
  }

  /// Writes an entry about a failure.
  func write(_ error: any Error, of request: Request? = nil) {
    write(
      .error, "failure",
      [
        request?[RequestTrace.self].map { .text("request", $0.id) },
        server.configuration.app.map { .text("app", $0) },
        .text("error", Self.describe(error)),
      ])
  }

  /// Writes that a device has seen changes that the data lacks, though the epoch is the same.
  func writeDeviceAhead(_ scope: ScopeID, of request: Request) {
    write(
      .error, "restoredWithoutEpoch",
      [
        request[RequestTrace.self].map { .text("request", $0.id) },
        server.configuration.app.map { .text("app", $0) },
        .text("scopeKind", scope.kind),
        request[Caller.self].map { .text("account", "\($0.account)") },
        .text(
          "remedy",
          "A device has seen changes that this data lacks. If it was restored from a copy, stop the server and "
            + "run offshore restored, or devices will miss changes."),
      ])
  }

  private func write(_ level: LogEntry.Level, _ message: StaticString, _ fields: [LogField?]) {
    let time = Date(timeIntervalSince1970: Double(server.clock()) / 1_000)
    server.configuration.log.write(
      LogEntry(level, .server, message, fields.compactMap(\.self), time: time))
  }

  /// Creates the response to an error: a message for devices, JSON for other clients.
  func response(to error: any Error, _ request: Request) -> Response {
    let problem = ServerProblem(error)
    if problem.isFailure { write(error, of: request) }
    let isDevice = request.route.map(messagePatterns.contains) ?? false
    return isDevice ? problem.message : problem.response
  }

  /// NB: A client can send any method, so unknown ones are not logged.
  private static func methodName(_ request: Request) -> String {
    let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    return known.contains(request.method.rawValue) ? request.method.rawValue : "other"
  }

  /// Returns the text of an error for logs: its description if that is safe to show, or else its
  /// type.
  private static func describe(_ error: any Error) -> String {
    switch error {
    case let error as DatabaseError: error.description
    case let error as WireError: error.description
    case let error as BlobFileError: error.description
    case let error as ResourceError: "\(error.code): \(error.message)"
    case let error as WireProblem: "\(error.code): \(error.message)"
    case let error as AccountError: "\(error.code): \(error.message)"
    default: "\(type(of: error))"
    }
  }
}
