import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// Compressed request and response bodies.
struct BodyEncodingTests {
  private let service: TestService

  init() throws { service = try TestService() }

  @Test func `A compressed push is applied, and a pull is compressed if the client accepts it`()
    async throws
  {
    let ida = try await service.signUp("ida")
    let body = try PushRequest.list(tasks: 200).body
    let compressed = try #require(Gzip.compress(body))
    #expect(compressed.count < body.count)
    let pushed = await service.send(
      .post, "/v1/push", token: ida.token, headers: ["Content-Encoding": "gzip"], body: compressed)
    #expect(try PushResponse(body: pushed.bytes).results.first?.outcome.range?.count == 201)
    #expect(pushed.headers["Content-Encoding"] == nil, "It is short.")

    let pull = try PullRequest.firstOfList()
    for (accepts, isCompressed) in [
      ("gzip", true), ("br, GZIP;q=0.5", true), ("*", true), ("gzip;q=0", false), ("br", false),
      ("*, gzip;q=0", false), ("", false),
    ] {
      let pulled = await service.send(
        .post, "/v1/pull", token: ida.token, headers: ["Accept-Encoding": accepts], body: pull.body)
      #expect((pulled.headers["Content-Encoding"] == "gzip") == isCompressed, "\(accepts)")
      #expect(pulled.headers["Vary"] == "Accept-Encoding")
      let bytes =
        isCompressed
        ? try Gzip.decompress(pulled.bytes, limit: WireLimits.bodyBytes) : pulled.bytes
      #expect(try PullResponse(body: bytes).scopes.first?.content.page?.rows.rows.count == 202)
    }
  }

  @Test func `A response from a file is never compressed`() async throws {
    let folder = try BlobFolder()
    let ida = try await RowClient(folder.service, "ida")
    _ = await ida.makeList()
    let content = [UInt8](repeating: 0x61, count: 100_000)
    #expect(await ida.put(content).status == .created)
    for (range, count) in [(nil, 100_000), ("bytes=10-89999", 89_990)] as [(String?, Int)] {
      for method in [Request.Method.get, .head] {
        var headers: Headers = ["Accept-Encoding": "gzip"]
        headers["Range"] = range
        let response = await ida.blob(ContentHash(of: content), headers, method: method)
        #expect(response.status.rawValue == (range == nil ? 200 : 206))
        #expect(response.headers["Content-Encoding"] == nil && response.byteCount == count)
        #expect(response.headers["ETag"]?.contains("gzip") == false)
        guard case .file = response.body else {
          Issue.record("The blob was read into memory.")
          continue
        }
      }
    }
  }

  @Test func `A partial response is never compressed`() async throws {
    var router = Router(middleware: [BodyEncoding.middleware])
    router.get("part") { _ in
      Response(
        Response.Status(rawValue: 206), headers: ["Content-Range": "bytes 0-9999/20000"],
        body: .bytes([UInt8](repeating: 0, count: 10_000)))
    }
    let request = Request(.get, "/part", headers: ["Accept-Encoding": "gzip"])
    let response = await router.respond(to: request)
    #expect(response.bytes.count == 10_000 && response.headers["Content-Encoding"] == nil)
  }

  @Test func `Compressed and plain responses have different tags, and both name the version`()
    async throws
  {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList(tasks: ["a"])
    let path = "tasks/rows/a?scope=list/1"
    let note = String(repeating: "n", count: 2_000)
    _ = await ida.send(.patch, path, #"{"values":{"note":"\#(note)"}}"#)
    let plain = await ida.get(path)
    let packed = await ida.get(path, ["Accept-Encoding": "gzip"])
    let (tag, other) = (plain.headers["ETag"] ?? "", packed.headers["ETag"] ?? "")
    #expect(packed.headers["Content-Encoding"] == "gzip" && plain.bytes != packed.bytes)
    #expect(other == tag.dropLast() + "-gzip\"" && tag.count > 2)
    for (known, expected) in [(tag, tag), (other, other), ("W/\(other)", other)] {
      let response = await ida.get(path, ["If-None-Match": known, "Accept-Encoding": "gzip"])
      #expect(response.status == .notModified && response.headers["ETag"] == expected)
    }
    let change = #"{"values":{"title":"new"}}"#
    #expect(await ida.send(.patch, path, change, ["If-Match": "\"x\", \(other)"]).status == .ok)
    let late = await ida.send(.patch, path, change, ["If-Match": other])
    #expect(late.status.rawValue == 412)
  }

  @Test func `A compressed body does not change the cause of a refusal`() async throws {
    let headers: Headers = ["Content-Encoding": "gzip"]
    let stranger = await service.send(.post, "/v1/push", headers: headers, body: [1])
    #expect(stranger.status == .unauthorized)
    #expect(await service.send(.post, "/nowhere", headers: headers).status == .notFound)
    let ida = try await service.signUp("ida")
    var request = Request(.post, "/v1/push", headers: headers, body: [1, 2])
    request.headers["Authorization"] = "Bearer \(ida.token)"
    guard case .admitted(let head) = await service.router.admit(request) else {
      Issue.record("It is refused.")
      return
    }
    let refused = await service.router.refuse(head, HTTPError(.contentTooLarge))
    #expect(refused.status == .contentTooLarge)
  }

  @Test func `A gzip bomb, a malformed body and an unknown encoding are refused`() async throws {
    let ida = try await service.signUp("ida")
    let bomb = try #require(
      Gzip.compress([UInt8](repeating: 0, count: WireLimits.bodyBytes + 1)))
    for (encoding, body, status) in [
      ("gzip", bomb, 413), ("gzip", try PushRequest.list(tasks: 3).body, 400), ("br", bomb, 415),
      ("gzip, gzip", bomb, 415),
      ("identity", [UInt8](), 400),
    ] {
      let response = await service.send(
        .post, "/v1/push", token: ida.token, headers: ["Content-Encoding": encoding], body: body)
      #expect(response.status.rawValue == status)
      #expect(response.headers["Accept-Encoding"] == (status == 415 ? "gzip" : nil))
      #expect(try !WireProblem(body: response.bytes).message.isEmpty)
    }
    let form = try #require(Gzip.compress([UInt8](repeating: 0x20, count: 20_000)))
    let response = await service.send(
      .post, "/v1/password", token: ida.token,
      headers: ["Content-Type": "application/json", "Content-Encoding": "gzip"], body: form)
    #expect(response.status == .contentTooLarge, "The limit is the route's.")
  }
}
