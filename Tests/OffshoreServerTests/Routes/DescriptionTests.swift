import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// The description and the server's routes are the same.
struct DescriptionTests {
  private let folder: BlobFolder

  init() throws { folder = try BlobFolder() }

  @Test func `The document describes each route of the router, and nothing else`() async throws {
    let routes = folder.service.server.routes
    #expect(
      folder.service.router.routeList.map { "\($0.method) \($0.pattern)" }
        == routes.map { "\($0.method) \($0.pattern)" })
    let document = await folder.service.send(.get, "/v1/openapi.json")
    let operations = try Contract(document.bytes).operations
    #expect(
      operations == routes.map { "\($0.method.rawValue.lowercased()) \($0.path)" }.sorted())
    #expect(operations.count == Set(operations).count)
    #expect(try operations == Contract.ofAll().operations)
  }

  @Test func `A server without blobs describes no blob operations`() async throws {
    let service = try TestService()
    let contract = try Contract(await service.send(.get, "/v1/openapi.json").bytes)
    #expect(!contract.operations.contains { $0.contains("blobs") })
    #expect(contract.operations.contains("get /v1/tables/{table}/rows"))
  }

  @Test func `The described path parameters are exactly those of the path`() {
    for operation in folder.service.server.routes {
      let named = operation.pattern.split(separator: "/").filter { $0.first == ":" }
        .map { String($0.dropFirst()) }
      #expect(operation.parameters.filter { $0.place == .path }.map(\.name) == named)
      #expect(!operation.parameters.contains { $0.place == .path && !$0.isRequired })
      #expect(Set(operation.answers.map(\.status)).count == operation.answers.count)
    }
  }

  @Test func `A response that is not described is reported`() async throws {
    let contract = try Contract.ofAll()
    let request = Request(.get, "/v1/account")
    let sound = #"{"account":"\#(UUID())","name":"ida"}"#
    func errors(_ status: Response.Status, _ body: String, _ headers: Headers) -> [String] {
      contract.errors(
        in: Response(status, headers: headers, body: .bytes(Array(body.utf8))), to: request)
    }
    let json: Headers = ["Content-Type": "application/json"]
    #expect(errors(.ok, sound, json) == [])
    for wrong in [
      errors(.created, sound, json), errors(.ok, sound, [:]), errors(.ok, "{", json),
      errors(.ok, sound, ["Content-Type": "text/html"]), errors(.ok, #"{"name":"ida"}"#, json),
      errors(.ok, sound, ["Content-Type": "application/json", "ETag": "\"x\""]),
      contract.errors(in: .text("x"), to: Request(.get, "/v1/secrets")),
    ] { #expect(!wrong.isEmpty) }
  }
}
