import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Asks a server over HTTP.
struct Client {
  let address: String
  var token: String?

  struct Answer {
    let status: Int
    let headers: [String: String]
    let data: Data

    var text: String { String(decoding: data, as: UTF8.self) }
    var json: [String: Any] {
      (try? JSONSerialization.jsonObject(with: data) as? [String: Any]) ?? [:]
    }
  }

  func send(
    _ method: String, _ path: String, _ json: [String: String]? = nil,
    headers: [String: String] = [:], body: Data? = nil
  ) async throws -> Answer {
    guard let url = URL(string: address + path) else { throw URLError(.badURL) }
    var request = URLRequest(url: url)
    request.httpMethod = method
    if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    if let json {
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.httpBody = try JSONEncoder().encode(json)
    }
    if let body { request.httpBody = body }
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let session = URLSession(configuration: .ephemeral)
    defer { session.finishTasksAndInvalidate() }
    let (data, response) = try await session.data(for: request)
    guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    let fields = response.allHeaderFields.map { ("\($0.key)".lowercased(), "\($0.value)") }
    return Answer(
      status: response.statusCode, headers: Dictionary(fields) { $1 }, data: data)
  }
}
