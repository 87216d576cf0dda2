import Offshore
import OffshoreHTTP
import OffshoreWire

/// The log lines and metrics of requests.
extension SyncServer {
  /// The middleware that counts and logs each request, and adds its identifier to the response.
  var observing: Middleware {
    Middleware { request, next in
      let arrival = request[Arrival.self] ?? Arrival(request)
      var response = try await next(request)
      response.headers["X-Request-ID"] = arrival.id
      note(request, response, arrival)
      return response
    }
  }

  private func note(_ request: Request, _ response: Response, _ arrival: Arrival) {
    let duration = arrival.time.duration(to: .now)
    metrics.countRequest(
      ServerMetrics.Outcome(
        method: Self.methodName(request), route: request.route.map { "/\($0)" } ?? "",
        status: response.status.rawValue), lasting: duration / .seconds(1))
    configuration.log.write(
      response.status.isFailure ? "error" : "info", at: clock(),
      [
        "request": .text(arrival.id), "app": configuration.app.map { .text($0) },
        "method": .text(Self.methodName(request)),
        "route": request.route.map { .text("/\($0)") },
        "status": .count(response.status.rawValue),
        "milliseconds": .number(duration / .milliseconds(1)),
        "bytes": .count(response.byteCount),
        "account": request[Bearer.self].map { .text("\($0.account)") },
      ])
  }

  /// Creates the response to an error: a message for devices, JSON for other clients.
  func present(_ error: any Error, _ request: Request) -> Response {
    let problem = ServerProblem(error)
    if problem.isFailure {
      configuration.log.write(
        "error", at: clock(),
        [
          "request": request[Arrival.self].map { .text($0.id) },
          "app": configuration.app.map { .text($0) },
          "error": .text(Self.describe(error)),
        ])
    }
    let isDevice = request.route.map { ["v1/push", "v1/pull", "v1/events"].contains($0) } ?? false
    return isDevice ? problem.message : problem.response
  }

  /// NB: A client can send any method, so unknown ones are not logged.
  private static func methodName(_ request: Request) -> String {
    let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    return known.contains(request.method.rawValue) ? request.method.rawValue : "other"
  }

  /// Returns the text of an error for logs: its description if that is safe to show, or else its
  /// type.
  static func describe(_ error: any Error) -> String {
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
