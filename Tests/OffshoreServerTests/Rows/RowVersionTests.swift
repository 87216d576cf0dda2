import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// Validators, preconditions, and retried changes.
struct RowVersionTests {
  private let service: TestService
  private let path = "tasks/rows/a?scope=list/1"

  init() throws { service = try TestService() }

  @Test func `A row is answered as not modified until it changes`() async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList(tasks: ["a"])
    let tag = try #require(await ida.get(path).headers["ETag"])
    for tags in [tag, "*", "\"x\", \(tag)", "W/\(tag)"] {
      let known = await ida.get(path, ["If-None-Match": tags])
      #expect(known.status == .notModified && known.bytes.isEmpty && known.headers["ETag"] == tag)
    }
    #expect(await ida.get(path, ["If-None-Match": "\"x\""]).status == .ok)
    let patched = await ida.send(.patch, path, #"{"values":{"note":"n"}}"#)
    #expect(patched.headers["ETag"] != tag)
    let fresh = await ida.get(path, ["If-None-Match": tag])
    #expect(fresh.status == .ok && fresh.headers["ETag"] == patched.headers["ETag"])
  }

  @Test func `A row that was deleted and inserted with the same values has another validator`()
    async throws
  {
    let ida = try await RowClient(service, "ida")
    let tag = try #require(await ida.makeList(tasks: ["a"]).last?.headers["ETag"])
    _ = await ida.delete(path)
    let again = await ida.makeList("1", tasks: ["a"]).last
    #expect(again?.status == .created && again?.headers["ETag"] != tag)
  }

  @Test func `A change of an outdated version is refused with the current validator`() async throws
  {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList(tasks: ["a"])
    let old = try #require(await ida.get(path).headers["ETag"])
    let changed = await ida.send(.patch, path, #"{"values":{"note":"n"}}"#, ["If-Match": old])
    #expect(changed.status == .ok)
    let tag = try #require(changed.headers["ETag"])
    for refused in [
      await ida.send(.patch, path, #"{"values":{"note":"m"}}"#, ["If-Match": old]),
      await ida.delete(path, ["If-Match": old]),
      // A weak validator never suffices for a change.
      await ida.delete(path, ["If-Match": "W/\(tag)"]),
      // A condition without a validator is never met.
      await ida.delete(path, ["If-Match": ""]), await ida.delete(path, ["If-Match": " , "]),
    ] {
      #expect(refused.status.rawValue == 412 && refused.code == "preconditionFailed")
      #expect(refused.headers["ETag"] == tag)
    }
    #expect(await ida.get(path).headers["ETag"] == tag)
    #expect(await ida.delete(path, ["If-Match": "\"x\", \(tag)"]).status == .noContent)
    #expect(await ida.delete(path, ["If-Match": "*"]).status == .gone)
  }

  @Test func `A change without a precondition applies to the current row, whatever the clocks say`()
    async throws
  {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList(tasks: ["a"])
    let ahead = Op.edit("a", ["title": "ahead"], at: service.clock.now + 900, by: 4)
    _ = try await service.push(1, device: 4, token: ida.token, [ahead])
    let scope = try Lists.scope()
    let count = try await service.log.read { try $0.scope(scope).conflicts }
    service.clock.now -= 500
    let patched = await ida.send(.patch, path, #"{"values":{"title":"later"}}"#)
    #expect(patched.text.contains(#""title":"later""#))
    #expect(try await service.log.read { try $0.scope(scope).conflicts } == count)
  }

  // MARK: - Retries

  @Test func `A change that is sent again with its key takes effect once`() async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    let key: Headers = ["Idempotency-Key": "k-1"]
    let body = #"{"scope":"list/1","values":{"title":"T"}}"#
    let first = await ida.send(.post, "tasks/rows", body, key)
    let second = await ida.send(.post, "tasks/rows", body, key)
    #expect(first.status == .created && second.status == .created)
    #expect(first.text == second.text && first.comparableHeaders == second.comparableHeaders)
    #expect(try await service.tasks(device: 1, token: ida.token)?.count == 1)
    let id = try #require(try first.json()["id"] as? String)
    let path = "tasks/rows/\(id)?scope=list/1"
    for key in ["k-2", "k-2", "k-3"] {
      let headers: Headers = ["Idempotency-Key": key]
      let response = await ida.send(.patch, path, #"{"increments":{"points":1}}"#, headers)
      #expect(response.status == .ok)
    }
    #expect(await ida.get(path).text.contains(#""points":2"#))
    for _ in 0..<2 {
      #expect(await ida.delete(path, ["Idempotency-Key": "k-4"]).status == .noContent)
    }
    // The inserted row was deleted since, and is not inserted again.
    #expect(await ida.send(.post, "tasks/rows", body, key).status == .gone)
    #expect(try await service.tasks(device: 1, token: ida.token) == [])
  }

  @Test func `A key is valid for one request, one account and one day`() async throws {
    let (ida, ben) = (try await RowClient(service, "ida"), try await RowClient(service, "ben"))
    _ = await ida.makeList()
    try await ben.grant(.editor)
    let key: Headers = ["Idempotency-Key": "k"]
    let body = #"{"scope":"list/1","values":{"title":"T"}}"#
    #expect(await ida.send(.post, "tasks/rows", body, key).status == .created)
    let other = await ida.send(.post, "tasks/rows", body + " ", key)
    #expect(other.status == .unprocessableContent && other.code == "keyReused")
    #expect(await ben.send(.post, "tasks/rows", body, key).status == .created)
    service.clock.now += IdempotencyKey.lifetime
    #expect(await ida.send(.post, "tasks/rows", body, key).status == .created)
    #expect(try await service.tasks(device: 1, token: ida.token)?.count == 3)
    for key in ["", "a b", "ä", String(repeating: "k", count: 201)] {
      let response = await ida.send(.post, "tasks/rows", body, ["Idempotency-Key": key])
      #expect(response.status == .badRequest)
    }
  }

  @Test func `A refused change may be sent again with its key`() async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    let body = #"{"scope":"list/1","values":{"title":"T","after":"b"}}"#
    let key: Headers = ["Idempotency-Key": "k"]
    #expect(await ida.send(.post, "tasks/rows", body, key).code == "missingReference")
    _ = await ida.makeList(tasks: ["b"])
    #expect(await ida.send(.post, "tasks/rows", body, key).status == .created)
  }

  @Test func `Of concurrent changes with the same key one takes effect`() async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList(tasks: ["a"])
    let codes = await withTaskGroup(of: Response.Status.self) { group in
      for number in 0..<20 {
        group.addTask {
          await ida.send(
            .patch, path, #"{"increments":{"points":1}}"#, ["Idempotency-Key": "\(number % 4)"]
          ).status
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes.allSatisfy { $0 == .ok })
    #expect(await ida.get(path).text.contains(#""points":4"#))
  }
}
