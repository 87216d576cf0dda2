import Offshore
import OffshoreHTTP
import OffshoreWire

/// What is written down of each request.
extension SyncServer {
  /// Names each request in its answer, and writes a line about it.
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

  /// The answer to what a handler throws: to devices in their words, to others in JSON.
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

  /// NB: A method is whatever a client sends; what is not known is not written down.
  private static func methodName(_ request: Request) -> String {
    let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    return known.contains(request.method.rawValue) ? request.method.rawValue : "other"
  }

  /// What of an error may stand in a log: what its own words are made to be shown for, else its type.
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
