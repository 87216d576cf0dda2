import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// The preconditions, the permission and the repetition of PUT.
struct ReplacementConditionTests {
  private let service: TestService
  private let path = "tasks/rows/a?scope=list/1"
  private let body = #"{"values":{"title":"T"}}"#

  init() throws { service = try TestService() }

  // MARK: - Preconditions

  @Test func `If-None-Match restricts the request to an insertion`() async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    let any: Headers = ["If-None-Match": "*"]
    let made = await ida.send(.put, path, body, any)
    #expect(made.status == .created)
    let tag = try #require(made.headers["ETag"])
    for tags in ["*", tag, "\"x\", W/\(tag)"] {
      let refused = await ida.send(
        .put, path, #"{"values":{"title":"U"}}"#, ["If-None-Match": tags])
      #expect(refused.status.rawValue == 412 && refused.code == "preconditionFailed")
      #expect(refused.headers["ETag"] == tag)
    }
    #expect(await ida.get(path).headers["ETag"] == tag)
    let other = await ida.send(.put, path, #"{"values":{"title":"U"}}"#, ["If-None-Match": "\"x\""])
    #expect(other.status == .ok)
    _ = await ida.delete(path)
    #expect(await ida.send(.put, path, body, any).status == .created)
  }

  @Test func `If-Match restricts the request to a replacement of that version`() async throws {
    let ida = try await RowClient(service, "ida")
    let tag = try #require(await ida.makeList(tasks: ["a"]).last?.headers["ETag"])
    #expect(await ida.send(.put, path, body, ["If-Match": "\"x\", \(tag)"]).status == .ok)
    let changed = await ida.get(path).headers["ETag"]
    for tags in [tag, "W/\(changed ?? "")", "", "\"x\""] {
      let refused = await ida.send(.put, path, body, ["If-Match": tags])
      #expect(refused.status.rawValue == 412 && refused.headers["ETag"] == changed)
    }
    #expect(await ida.send(.put, path, body, ["If-Match": "*"]).status == .ok)
    _ = await ida.delete(path)
    for tags in ["*", tag] {
      for place in [path, "tasks/rows/b?scope=list/1"] {
        let refused = await ida.send(.put, place, body, ["If-Match": tags])
        #expect(refused.status.rawValue == 412 && refused.code == "preconditionFailed")
        #expect(refused.headers["ETag"] == nil)
      }
    }
    #expect(try await service.tasks(device: 1, token: ida.token) == [])
  }

  // MARK: - Permission

  @Test func `An account without a grant gets the same answer for existing and missing rows`()
    async throws
  {
    let (ida, eve) = (try await RowClient(service, "ida"), try await RowClient(service, "eve"))
    _ = await ida.makeList(tasks: ["a", "b"])
    _ = await ida.delete("tasks/rows/b?scope=list/1")
    for (conditions, status) in [
      ([:], 403), (["If-None-Match": "*"], 403), (["If-Match": "*"], 412),
      (["If-Match": "\"x\""], 412),
    ] as [(Headers, Int)] {
      var answers: [Response] = []
      for id in ["a", "b", "c"] {
        answers.append(await eve.send(.put, "tasks/rows/\(id)?scope=list/1", body, conditions))
      }
      #expect(answers.allSatisfy { $0.status.rawValue == status })
      #expect(Set(answers.map(\.text)).count == 1)
      #expect(Set(answers.map { "\($0.comparableHeaders)" }).count == 1)
      #expect(answers.allSatisfy { $0.headers["ETag"] == nil })
    }
    #expect(try await service.tasks(device: 1, token: ida.token) == ["a"])
  }

  @Test func `A viewer cannot write, and a revoked member neither writes nor reads`() async throws {
    let (ida, ben) = (try await RowClient(service, "ida"), try await RowClient(service, "ben"))
    _ = await ida.makeList(tasks: ["a"])
    try await ben.grant(.viewer)
    for id in ["a", "b"] {
      for conditions in [[:], ["If-Match": "\"x\""], ["If-None-Match": "*"]] as [Headers] {
        let refused = await ben.send(.put, "tasks/rows/\(id)?scope=list/1", body, conditions)
        #expect(refused.status == .forbidden && refused.code == "forbidden")
      }
    }
    try await ben.grant(.editor)
    #expect(await ben.send(.put, path, body).status == .ok)
    try await ben.grant(.revoked)
    #expect(await ben.send(.put, path, body).status == .forbidden)
    let stranger = await service.send(.put, "/v1/tables/tasks/rows/a?scope=list/1")
    #expect(stranger.status == .unauthorized)
  }

  // MARK: - Repetition

  @Test func `A replacement that is sent again with its key takes effect once`() async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    let key: Headers = ["Idempotency-Key": "k"]
    #expect(await ida.send(.put, path, body, key).status == .created)
    let changed = await ida.send(.patch, path, #"{"values":{"title":"U"}}"#)
    let again = await ida.send(.put, path, body, key)
    #expect(again.status == .ok && again.text == changed.text)
    let others: [(String, Headers)] = [
      (#"{"values":{"title":"V"}}"#, key),
      (body, ["Idempotency-Key": "k", "If-None-Match": "*"]),
      (body, ["Idempotency-Key": "k", "If-Match": "*"]),
    ]
    for (other, conditions) in others {
      let refused = await ida.send(.put, path, other, conditions)
      #expect(refused.status == .unprocessableContent && refused.code == "keyReused")
    }
    _ = await ida.delete(path)
    #expect(await ida.send(.put, path, body, key).status == .gone)
    #expect(try await service.tasks(device: 1, token: ida.token) == [])
  }

  @Test func `A refused replacement may be sent again with its key`() async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList(tasks: ["a"])
    let conditions: Headers = ["Idempotency-Key": "k", "If-None-Match": "*"]
    #expect(await ida.send(.put, path, body, conditions).status.rawValue == 412)
    _ = await ida.delete(path)
    #expect(await ida.send(.put, path, body, conditions).status == .created)
  }

  @Test func `A stream receives hints of replaced rows`() async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList(tasks: ["a"])
    let response = await service.send(.get, "/v1/events", token: ida.token)
    let channel = try #require(response.channel)
    #expect(await ida.send(.put, path, body).status == .ok)
    let head = try await service.log.read { try $0.scope(Lists.scope()).head }
    #expect(try await channel.nextHint() == Hint(Lists.scope(), head: head))
  }
}
