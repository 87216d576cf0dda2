import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// The description and the server's routes are the same.
struct DescriptionTests {
  private let folder: BlobFolder

  init() throws { folder = try BlobFolder() }

  @Test func `Each route is described, and each description has a route`() async throws {
    let routes = folder.service.router.routeList.map { "\($0.method) \($0.pattern)" }
    let described = ServerDescription.operations.map { "\($0.method) \($0.pattern)" }
    #expect(Set(routes) == Set(described), "Describe a route that is added, in an Operation.")
    #expect(described.count == Set(described).count)
    let document = await folder.service.send(.get, "/v1/openapi.json")
    let contract = try Contract(document.bytes)
    let all = try Contract.ofAll()
    #expect(contract.operations == all.operations)
    #expect(contract.operations.count == routes.count)
  }

  @Test func `A server without blobs describes no blob operations`() async throws {
    let service = try TestService()
    let contract = try Contract(await service.send(.get, "/v1/openapi.json").bytes)
    #expect(!contract.operations.contains { $0.contains("blobs") })
    #expect(contract.operations.contains("get /v1/tables/{table}/rows"))
  }

  @Test func `The described path parameters are exactly those of the path`() {
    for operation in ServerDescription.operations {
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
