import Foundation
import OffshorePresentation
import Synchronization

@testable import Anyfleet

/// A server's rows as a test sets them, and a record of the requests.
final class CharterAPIDouble: CharterAPI {
  private struct State {
    var charters: [String: CharterDTO] = [:]
    var requestedPaths: [String] = []
    var error: AppError?
  }

  private let state = Mutex(State())

  init(_ charters: CharterDTO...) {
    state.withLock { state in
      for charter in charters { state.charters["\(CharterDTO.path)/\(charter.id)"] = charter }
    }
  }

  /// The requested paths.
  var requestedPaths: [String] { state.withLock(\.requestedPaths) }

  /// Makes all requests fail with an error.
  func fail(with error: AppError?) { state.withLock { $0.error = error } }

  func get<Answer: Decodable & Sendable>(
    path: String, queryItems: [URLQueryItem]
  ) async throws -> Answer {
    try answer(path) { $0.charters[path] }
  }

  func post<Answer: Decodable & Sendable>(
    path: String, body: some Encodable & Sendable
  ) async throws -> Answer {
    try answer(path) { state in
      guard let charter = body as? CharterDTO else { return nil }
      state.charters["\(path)/\(charter.id)"] = charter
      return charter
    }
  }

  func patch<Answer: Decodable & Sendable>(
    path: String, body: some Encodable & Sendable
  ) async throws -> Answer {
    try answer(path) { state in
      guard let values = (body as? [String: CharterDTO.Values])?["values"] else { return nil }
      state.charters[path]?.values = values
      return state.charters[path]
    }
  }

  func delete(path: String) async throws {
    let _: CharterDTO = try answer(path) { $0.charters.removeValue(forKey: path) }
  }

  private func answer<Answer>(
    _ path: String, _ body: (inout State) -> CharterDTO?
  ) throws -> Answer {
    try state.withLock { state in
      state.requestedPaths.append(path)
      if let error = state.error { throw error }
      guard let answer = body(&state) as? Answer else { throw AppError.content(.notFound) }
      return answer
    }
  }
}
