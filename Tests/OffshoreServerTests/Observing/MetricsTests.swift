import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// The metrics that Prometheus reads from a server.
struct MetricsTests {
  private let service: TestService

  init() throws {
    var configuration = ServerConfiguration()
    configuration.metricsToken = "metrics-token"
    service = try TestService(configuration: configuration)
  }

  private func read(
    _ token: String? = nil, from address: String, headers: Headers = [:]
  ) async -> Response {
    await service.send(.get, "/metrics", token: token, headers: headers, address: address)
  }

  @Test func `A local client can read the metrics, and another client with the metrics token`()
    async throws
  {
    for (token, address, headers, isRead) in [
      (nil, "127.0.0.1", [:], true), (nil, "::1", [:], true), (nil, "192.0.2.1", [:], false),
      (nil, "127.0.0.1", ["X-Forwarded-For": "127.0.0.1"], false),
      ("metrics-token", "192.0.2.1", [:], true), ("metrics-tokem", "192.0.2.1", [:], false),
      ("", "192.0.2.1", [:], false),
    ] as [(String?, String, Headers, Bool)] {
      let response = await read(token, from: address, headers: headers)
      #expect(response.status == (isRead ? .ok : .forbidden))
      #expect(response.text.contains("offshore_") == isRead)
    }
    var behindProxy = ServerConfiguration()
    behindProxy.trustedProxies = [try #require(AddressRange("127.0.0.0/8"))]
    let hidden = try TestService(configuration: behindProxy)
    let forwarded = await hidden.send(.get, "/metrics", address: "127.0.0.1")
    #expect(forwarded.status == .forbidden)
    let plain = try TestService()
    for token in ["", "metrics-token"] {
      let response = await plain.send(.get, "/metrics", token: token)
      #expect(response.status == .forbidden)
    }
  }

  @Test func `The metrics count the requests in the format that Prometheus specifies`() async throws
  {
    let ida = try await service.signUp("ida")
    _ = try await service.push(
      1, device: 1, token: ida.token, [.list(at: 900), .task("a", at: 901)])
    _ = try await service.push(
      1, device: 1, token: ida.token, [.list(at: 900), .task("a", at: 901)])
    _ = try await service.push(9, device: 1, token: ida.token, [.task("b", at: 902)])
    _ = try await service.push(
      1, to: "2", device: 1, token: ida.token, [.task("b", at: 902)])
    _ = try await service.tasks(device: 1, token: ida.token)
    _ = await service.send(.get, "/v1/events", token: ida.token)
    _ = await service.send(.get, "/nothing")
    for _ in 0..<21 {
      _ = try await service.send(
        .post, "/v1/tokens", ["name": "ben", "password": "wrong"], address: "192.0.2.9")
    }
    let text = await read(from: "127.0.0.1").text
    let metrics = try PrometheusText(text)
    let push = ["method": "POST", "route": "/v1/push", "status": "200"]
    #expect(metrics["offshore_requests_total", push] == 4)
    #expect(
      metrics["offshore_requests_total", ["method": "GET", "route": "", "status": "404"]] == 1)
    #expect(metrics["offshore_ops_pushed_total"] == 2)
    #expect(metrics["offshore_rows_pulled_total"] == 3)
    #expect(metrics["offshore_batches_rejected_total", ["code": "gap"]] == 1)
    #expect(metrics.total("offshore_batches_rejected_total") == 2)
    #expect((metrics["offshore_rate_limited_total"] ?? 0) >= 1)
    #expect(metrics["offshore_event_streams"] == 1)
    #expect(metrics["offshore_devices_ahead_total"] == 1)
    #expect((metrics["offshore_data_bytes"] ?? 0) > 4_096)
    let count = metrics["offshore_request_duration_seconds_count", ["route": "/v1/push"]]
    #expect(count == 4)
    #expect(!text.contains(ida.token) && !text.contains("ida") && !text.contains("192.0.2"))
  }
}

/// A strict parser of Prometheus' text format, which accepts nothing else
/// (<https://prometheus.io/docs/instrumenting/exposition_formats/>).
private struct PrometheusText {
  enum Failure: Error { case line(String) }

  private var samples: [String: [[String: String]: Double]] = [:]
  private var types: [String: String] = [:]

  init(_ text: String) throws {
    guard text.hasSuffix("\n") else { throw Failure.line("no end") }
    var current: String?
    for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
      if let match = line.wholeMatch(of: /# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) .+/) {
        current = String(match.1)
      } else if let match = line.wholeMatch(
        of: /# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)/)
      {
        guard current == String(match.1), types[String(match.1)] == nil else {
          throw Failure.line(String(line))
        }
        types[String(match.1)] = String(match.2)
      } else {
        try parse(line, of: current)
      }
    }
    for (name, type) in types where type == "histogram" { try checkHistogram(name) }
  }

  private mutating func parse(_ line: Substring, of family: String?) throws {
    guard
      let match = line.wholeMatch(
        of: /([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{([^{}]*)\})? (\+Inf|[0-9.eE+-]+)/),
      let value = Double(match.3), let family
    else { throw Failure.line(String(line)) }
    let name = String(match.1)
    let suffixes = types[family] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
    guard suffixes.contains(where: { name == family + $0 }) else {
      throw Failure.line(String(line))
    }
    var labels: [String: String] = [:]
    for label in (match.2 ?? "").split(separator: ",") {
      guard let parts = label.wholeMatch(of: /([a-zA-Z_][a-zA-Z0-9_]*)="([^"\\\n]*)"/),
        labels.updateValue(String(parts.2), forKey: String(parts.1)) == nil
      else { throw Failure.line(String(line)) }
    }
    guard samples[name, default: [:]].updateValue(value, forKey: labels) == nil else {
      throw Failure.line(String(line))
    }
  }

  private func checkHistogram(_ name: String) throws {
    for (labels, count) in samples["\(name)_count"] ?? [:] {
      let buckets = (samples["\(name)_bucket"] ?? [:]).filter { bucket in
        labels.allSatisfy { bucket.key[$0.key] == $0.value }
      }.map { (bound: Double($0.key["le"] ?? "") ?? .nan, value: $0.value) }
        .sorted { $0.bound < $1.bound }
      guard buckets.last?.bound == .infinity, buckets.last?.value == count,
        zip(buckets, buckets.dropFirst()).allSatisfy({ $0.value <= $1.value }),
        samples["\(name)_sum"]?[labels] != nil
      else { throw Failure.line(name) }
    }
  }

  subscript(_ name: String, _ labels: [String: String] = [:]) -> Double? { samples[name]?[labels] }

  func total(_ name: String) -> Double { (samples[name] ?? [:]).values.reduce(0, +) }
}
