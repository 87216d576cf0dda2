import Foundation
import OffshoreHTTP
import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// The server's OpenAPI description, against which tests check responses.
struct Contract: @unchecked Sendable {  // The document is not changed after it was parsed.
  private let document: [String: Any]
  private let check: SchemaCheck

  init(_ bytes: [UInt8]) throws {
    document = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    check = SchemaCheck(document: document)
  }

  /// Returns the description of a server with all routes.
  static func ofAll() throws -> Contract { try all.get() }

  private static let all = Result {
    let folder = FileManager.default.temporaryDirectory.path + "/offshore-blobs-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = SyncServer(
      storage: MemoryStorage(epoch: 7), rules: try PushRules(Lists.claimable()),
      blobs: try BlobStore(folder))
    let document = ServerDescription.document(of: server.routes)
    return try Contract(Array(JSONEncoder().encode(document)))
  }

  /// The operations, each as its method and path, for example `get /v1/account`.
  var operations: [String] {
    paths.flatMap { path, item in item.keys.map { "\($0) \(path)" } }.sorted()
  }

  /// Returns whether a request needs no access token.
  func isOpen(_ request: Request) -> Bool {
    let parts = operation(of: request)?.split(separator: " ") ?? []
    guard parts.count == 2,
      let operation = paths[String(parts[1])]?[String(parts[0])] as? [String: Any]
    else { return false }
    return (operation["security"] as? [Any])?.isEmpty == true
  }

  private var paths: [String: [String: Any]] {
    document["paths"] as? [String: [String: Any]] ?? [:]
  }

  /// Returns the operation of a request, or `nil` if the server does not have it.
  func operation(of request: Request) -> String? {
    guard let components = request.components else { return nil }
    let method = request.method == .head ? "get" : request.method.rawValue.lowercased()
    let fitting = paths.filter { path, item in
      let parts = path.split(separator: "/")
      return item[method] != nil && parts.count == components.count
        && zip(parts, components).allSatisfy { $0 == $1 || $0.first == "{" && !$1.isEmpty }
    }
    // A path of literal components takes precedence over one with parameters.
    let path = fitting.keys.min { $0.split(separator: "{").count < $1.split(separator: "{").count }
    return path.map { "\(method) \($0)" }
  }

  /// Returns the deviations of a response from the description.
  func errors(in response: Response, to request: Request) -> [String] {
    guard let operation = operation(of: request) else {
      return [404, 405, 400].contains(response.status.rawValue)
        ? [] : ["\(request.method) \(request.path) is not described"]
    }
    let parts = operation.split(separator: " ")
    let description = paths[String(parts[1])]?[String(parts[0])] as? [String: Any]
    let responses = description?["responses"] as? [String: Any]
    let place = "\(operation) \(response.status)"
    guard let answer = responses?["\(response.status)"] as? [String: Any] else {
      return ["\(place) is not described"]
    }
    return headerErrors(response, answer, place)
      + bodyErrors(response, answer, isHead: request.method == .head, place)
  }

  private func bodyErrors(
    _ response: Response, _ answer: [String: Any], isHead: Bool, _ place: String
  ) -> [String] {
    let contents = answer["content"] as? [String: [String: Any]] ?? [:]
    guard let type = response.headers["Content-Type"] else {
      return contents.isEmpty && response.bytes.isEmpty ? [] : ["\(place) has no content type"]
    }
    guard let content = contents[type] else { return ["\(place) has the type \(type)"] }
    guard let schema = content["schema"], !isHead else { return [] }
    let isPacked = response.headers["Content-Encoding"] == "gzip"
    // NB: Some clients decompress the body but leave the header field in place.
    let unpacked = isPacked ? try? Gzip.decompress(response.bytes, limit: 8 << 20) : nil
    guard
      let value = try? JSONSerialization.jsonObject(
        with: Data(unpacked ?? response.bytes), options: .fragmentsAllowed)
    else { return ["\(place) is no JSON"] }
    return check.errors(in: value, against: schema, at: place)
  }

  private func headerErrors(
    _ response: Response, _ answer: [String: Any], _ place: String
  ) -> [String] {
    let described = (answer["headers"] as? [String: Any] ?? [:]).keys
    let names = ["ETag", "Location", "Upload-Offset", "Content-Range", "Retry-After"]
    return names.filter { response.headers[$0] != nil && !described.contains($0) }
      .map { "\(place) has the header \($0)" }
  }
}
