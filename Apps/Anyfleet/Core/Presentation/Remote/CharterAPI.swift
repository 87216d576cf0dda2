public import Foundation
import OffshorePresentation
import OffshoreSync

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

/// The rows of the server, for the user who is signed in on this device.
///
/// Every call throws `AppError`: `auth(.notSignedIn)` if no user is signed in, `network(.offline)` also
/// if syncing is switched off on this device.
public struct LiveCharterAPI: CharterAPI {
  private let client: ServerClient
  private let session: Session

  /// Makes an API of a client and its user.
  init(_ client: ServerClient, session: Session) {
    self.client = client
    self.session = session
  }

  public func get<Answer: Decodable & Sendable>(
    path: String, queryItems: [URLQueryItem]
  ) async throws -> Answer {
    try await ask(ServerClient.Request("GET", path, query: queryItems))
  }

  public func post<Answer: Decodable & Sendable>(
    path: String, body: some Encodable & Sendable
  ) async throws -> Answer {
    try await told { try await ask(ServerClient.Request("POST", path, json: body)) }
  }

  public func patch<Answer: Decodable & Sendable>(
    path: String, body: some Encodable & Sendable
  ) async throws -> Answer {
    try await told { try await ask(ServerClient.Request("PATCH", path, json: body)) }
  }

  public func delete(path: String) async throws {
    try await told {
      try await client.tell(ServerClient.Request("DELETE", path), token: try await token())
    }
  }

  private func ask<Answer: Decodable & Sendable>(
    _ request: ServerClient.Request
  ) async throws -> Answer {
    try await told { try await client.ask(request, token: try await token()) }
  }

  private func token() async throws -> String {
    guard let token = await session.token else { throw AppError.auth(.notSignedIn) }
    return token
  }

  private func told<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
    do {
      return try await body()
    } catch {
      throw error.asAppError
    }
  }
}
