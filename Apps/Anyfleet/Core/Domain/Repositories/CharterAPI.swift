public import Foundation

/// Asks a server for single rows and changes them there, without this device keeping any.
///
/// Paths are those of the server's row API, without a slash before them, such as
/// `v1/tables/charters/rows`. Every call throws what the server says, or why it says nothing.
public protocol CharterAPI: Sendable {
  /// Reads what is at a path.
  func get<Answer: Decodable & Sendable>(
    path: String, queryItems: [URLQueryItem]
  ) async throws -> Answer

  /// Adds something.
  /// - Returns: how it is stored.
  func post<Answer: Decodable & Sendable>(
    path: String, body: some Encodable & Sendable
  ) async throws -> Answer

  /// Changes something that is there.
  /// - Returns: how it is stored.
  func patch<Answer: Decodable & Sendable>(
    path: String, body: some Encodable & Sendable
  ) async throws -> Answer

  /// Deletes something.
  func delete(path: String) async throws
}

extension CharterAPI {
  /// Reads what is at a path.
  public func get<Answer: Decodable & Sendable>(path: String) async throws -> Answer {
    try await get(path: path, queryItems: [])
  }
}
