public import Foundation
import OffshorePresentation
import OffshoreSync

/// A client for single rows on the server, which are not stored on this device.
///
/// Paths are those of the server's row API without a leading slash, such as
/// `v1/tables/charters/rows`. Every method throws the server's error, or the reason for a missing
/// answer.
public protocol CharterAPI: Sendable {
  /// Fetches the resource at a path.
  func get<Answer: Decodable & Sendable>(
    path: String, queryItems: [URLQueryItem]
  ) async throws -> Answer

  /// Creates a resource.
  /// - Returns: the stored resource.
  func post<Answer: Decodable & Sendable>(
    path: String, body: some Encodable & Sendable
  ) async throws -> Answer

  /// Changes a resource.
  /// - Returns: the stored resource.
  func patch<Answer: Decodable & Sendable>(
    path: String, body: some Encodable & Sendable
  ) async throws -> Answer

  /// Deletes a resource.
  func delete(path: String) async throws
}

extension CharterAPI {
  /// Fetches the resource at a path.
  public func get<Answer: Decodable & Sendable>(path: String) async throws -> Answer {
    try await get(path: path, queryItems: [])
  }
}

/// The client for the rows of the account that is signed in on this device.
///
/// Every method throws `AppError`: `auth(.notSignedIn)` if no account is signed in,
/// `network(.offline)` also if syncing is switched off.
package struct LiveCharterAPI: CharterAPI {
  private let client: ServerClient
  private let session: Session

  /// Creates a client for the account of a session.
  init(_ client: ServerClient, session: Session) {
    self.client = client
    self.session = session
  }

  package func get<Answer: Decodable & Sendable>(
    path: String, queryItems: [URLQueryItem]
  ) async throws -> Answer {
    try await send(ServerClient.Request("GET", path, query: queryItems))
  }

  package func post<Answer: Decodable & Sendable>(
    path: String, body: some Encodable & Sendable
  ) async throws -> Answer {
    try await withAppErrors { try await send(ServerClient.Request("POST", path, json: body)) }
  }

  package func patch<Answer: Decodable & Sendable>(
    path: String, body: some Encodable & Sendable
  ) async throws -> Answer {
    try await withAppErrors { try await send(ServerClient.Request("PATCH", path, json: body)) }
  }

  package func delete(path: String) async throws {
    try await withAppErrors {
      try await client.send(ServerClient.Request("DELETE", path), token: try await token())
    }
  }

  private func send<Answer: Decodable & Sendable>(
    _ request: ServerClient.Request
  ) async throws -> Answer {
    try await withAppErrors { try await client.fetch(request, token: try await token()) }
  }

  private func token() async throws -> String {
    guard let token = await session.token else { throw AppError.auth(.notSignedIn) }
    return token
  }

  private func withAppErrors<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
    do {
      return try await body()
    } catch {
      throw error.asAppError
    }
  }
}
