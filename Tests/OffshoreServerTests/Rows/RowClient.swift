import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// A client that reads and writes single rows.
struct RowClient {
  let service: TestService
  let token: String
  let id: UUID

  init(_ service: TestService, _ name: String) async throws {
    self.service = service
    (token, id) = try await service.signUp(name)
  }

  func get(_ path: String, _ headers: Headers = [:]) async -> Response {
    await service.send(.get, "/v1/tables/\(path)", token: token, headers: headers)
  }

  func send(
    _ method: Request.Method, _ path: String, _ json: String, _ headers: Headers = [:]
  ) async -> Response {
    var headers = headers
    headers["Content-Type"] = "application/json"
    return await service.send(
      method, "/v1/tables/\(path)", token: token, headers: headers, body: Array(json.utf8))
  }

  func delete(_ path: String, _ headers: Headers = [:]) async -> Response {
    await service.send(.delete, "/v1/tables/\(path)", token: token, headers: headers)
  }

  /// Inserts a list with tasks.
  func makeList(_ list: String = "1", tasks: [String] = []) async -> [Response] {
    var responses = [
      await send(.post, "lists/rows", #"{"scope":"list/\#(list)","values":{"title":"a list"}}"#)
    ]
    for task in tasks {
      responses.append(
        await send(
          .post, "tasks/rows",
          #"{"scope":"list/\#(list)","id":"\#(task)","values":{"title":"a task"}}"#))
    }
    return responses
  }

  /// Grants the client's account a role in a list.
  func grant(_ role: Role, in list: String = "1") async throws {
    let scope = try Lists.scope(list)
    try await service.log.write { [id] in _ = try $0.grant(role, to: AccountID(id), in: scope) }
  }
}
