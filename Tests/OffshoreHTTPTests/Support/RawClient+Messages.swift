import OffshoreHTTP

extension RawClient {
  /// Sends a request with a length and a host.
  func send(_ request: Request) {
    let target = request.rawQuery.isEmpty ? request.path : "\(request.path)?\(request.rawQuery)"
    var head = "\(request.method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
    for (name, value) in request.headers.fields { head += "\(name): \(value)\r\n" }
    if !request.body.isEmpty { head += "Content-Length: \(request.body.count)\r\n" }
    send(Array((head + "\r\n").utf8) + request.body)
  }

  /// Reads a response that states its length.
  mutating func response(isHead: Bool = false) throws -> Response {
    var response = try responseHead()
    let count = response.headers["Content-Length"].flatMap { Int($0) } ?? 0
    if !isHead { response.body = .bytes(try read(count: count)) }
    return response
  }

  /// Reads status and headers.
  mutating func responseHead() throws -> Response {
    let lines = try read(through: "\r\n\r\n").split(separator: "\r\n")
    let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    var headers = Headers()
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers.add(String(parts[0]), parts[1].trimmingPrefix(" ").description)
    }
    return Response(Response.Status(rawValue: status), headers: headers)
  }

  /// Sends text and returns the status of the answer, or `nil` if the server closes without one.
  static func status(of text: String, port: UInt16) async throws -> Int? {
    try await onThread {
      var client = try RawClient(port: port)
      client.send(text)
      let answer = String(decoding: try client.readToEnd(), as: UTF8.self)
      return answer.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }
  }
}
