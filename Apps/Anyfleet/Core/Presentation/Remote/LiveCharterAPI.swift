public import Foundation
import OffshorePresentation
import OffshoreSync

/// The rows of the server, for who is signed in on this device.
///
/// Every call throws `AppError`: `auth(.notSignedIn)` where nobody is signed in, `network(.offline)` also
/// where syncing is switched off here.
public struct LiveCharterAPI: CharterAPI {
  private let client: ServerClient
  private let session: Session

  /// Takes how the server is asked, and for whom.
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
