import Foundation
import OffshoreHTTP
import OffshoreWire
import TestSupport
import Testing

@testable import OffshoreServer

/// The data of a server, and the commands of its operator.
struct ServerDataTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "offshore-data-\(UUID().uuidString)").path(percentEncoded: false)

  /// Runs a test with new data, and removes its files afterwards.
  private func withData(_ body: (ServerData) async throws -> Void) async throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let data = try ServerData("\(folder)/server.sqlite")
    try await body(data)
    await data.close()
  }

  private func send(
    _ method: Request.Method, _ path: String, token: String = "", to server: SyncServer,
    _ json: [String: String]? = nil
  ) async throws -> Response {
    var request = Request(method, path, remoteAddress: "192.0.2.1")
    request.headers["Authorization"] = "Bearer \(token)"
    if let json {
      request.headers["Content-Type"] = "application/json"
      request.body = Array(try JSONEncoder().encode(json))
    }
    return await server.router.respond(to: request)
  }

  @Test func `A disabled account cannot sign in, and its invitations are invalid`() async throws {
    try await withData { data in
      let server = try await SyncServer(data, manifest: Lists.manifest())
      try await data.addAccount(named: "ida", password: "correct horse")
      try await data.addAccount(named: "ben", password: nil)
      try await data.grant(.owner, inScopes: [ScopeID("list/1")], toAccount: "ida")
      let ida = try await data.makeToken(forAccount: "ida")
      let ben = try await data.makeToken(forAccount: "ben")
      let invited = try await send(
        .post, "/v1/scopes/list/1/invitations", token: ida, to: server, ["role": "viewer"])
      let code = ["code": try #require(try invited.json()["code"] as? String)]
      try await data.setDisabled(true, ofAccount: "Ida")
      #expect(
        try await send(.get, "/v1/account", token: ida, to: server).status == .unauthorized)
      let credentials = ["name": "ida", "password": "correct horse"]
      let refused = try await send(.post, "/v1/tokens", to: server, credentials)
      #expect(refused.status == .forbidden && refused.code == "disabled")
      for path in ["/v1/invitations/preview", "/v1/invitations"] {
        let answer = try await send(.post, path, token: ben, to: server, code)
        #expect(answer.status == .notFound)
      }
      try await data.setDisabled(false, ofAccount: "ida")
      #expect(try await send(.post, "/v1/tokens", to: server, credentials).status == .created)
      #expect(
        try await send(.post, "/v1/invitations", token: ben, to: server, code).status == .ok)
    }
  }

  @Test func `The configuration of a server limits its blobs`() async throws {
    try await withData { data in
      var configuration = ServerConfiguration()
      configuration.blobLimits = BlobLimits(bytesPerBlob: 2, bytesPerAccount: 3)
      let server = try await SyncServer(
        data, manifest: Lists.manifest(), configuration: configuration)
      try await data.addAccount(named: "ida", password: nil)
      try await data.grant(.owner, inScopes: [ScopeID("list/1")], toAccount: "ida")
      let token = try await data.makeToken(forAccount: "ida")
      func put(_ bytes: [UInt8]) async -> Response.Status {
        var request = Request(
          .put, "/v1/blobs/\(ContentHash(of: bytes))?scope=list/1", remoteAddress: "192.0.2.1")
        request.headers["Authorization"] = "Bearer \(token)"
        request.body = bytes
        return await server.router.respond(to: request).status
      }
      #expect(await put([1, 2, 3]) == .contentTooLarge)
      #expect(await put([1, 2]) == .created)
      #expect(await put([3, 4]) == Response.Status(rawValue: 507))
      #expect(await put([3]) == .created)
    }
  }

  @Test func `The operator adds an account with the id of a lost one, unless the id is known`()
    async throws
  {
    try await withData { data in
      let server = try await SyncServer(data, manifest: Lists.claimable())
      let id = UUID()
      #expect(try await data.addAccount(named: "ida", password: "correct horse", id: id) == id)
      let credentials = ["name": "ida", "password": "correct horse"]
      let answer = try await send(.post, "/v1/tokens", to: server, credentials)
      #expect(try answer.json()["account"] as? String == id.uuidString)
      let taken = await #expect(throws: AccountError.self) {
        try await data.addAccount(named: "ben", password: nil, id: id)
      }
      #expect(taken?.code == .taken && taken?.message.contains("this id") == true)
      try await data.deleteAccount(named: "ida")
      let deleted = await #expect(throws: AccountError.self) {
        try await data.addAccount(named: "ida", password: nil, id: id)
      }
      #expect(deleted?.code == .deleted)
    }
  }

  @Test func `The operator deletes an account, also a disabled one`() async throws {
    try await withData { data in
      let server = try await SyncServer(data, manifest: Circles.manifest())
      let id = AccountID(try await data.addAccount(named: "ida", password: "correct horse"))
      let ben = AccountID(try await data.addAccount(named: "ben", password: nil))
      let (circle, other) = (try ScopeID("circle/c"), try ScopeID("circle/d"))
      try await data.grant(.owner, inScopes: [circle, other], toAccount: "ida")
      try await data.grant(.editor, inScopes: [circle], toAccount: "ben")
      let profile = try ScopeID(kind: "profile", value: id.description)
      func role(in scope: ScopeID) async throws -> Role? {
        try await data.storage.read { try $0.grant(of: ben, in: scope)?.role }
      }
      #expect(try await role(in: profile) == .viewer)
      try await data.setDisabled(true, ofAccount: "ida")
      try await data.deleteAccount(named: "Ida")
      #expect(try await role(in: profile) == .revoked)
      #expect(try await role(in: circle) == .owner)
      let credentials = ["name": "ida", "password": "correct horse"]
      let refused = try await send(.post, "/v1/tokens", to: server, credentials)
      #expect(refused.status == .unauthorized && refused.code == "wrongPassword")
      try await data.storage.read { log throws in
        #expect(try log.isRemoved(id) && log.grants(of: id, after: 0).isEmpty)
        #expect(try !log.hasGrants(in: other) && log.scope(other).head > 0)
      }
      let error = await #expect(throws: AccountError.self) {
        try await data.deleteAccount(named: "ida")
      }
      #expect(error?.code == .notFound)
    }
  }

  @Test func `The operator grants an account a role in scopes`() async throws {
    try await withData { data in
      let id = AccountID(try await data.addAccount(named: "ida", password: nil))
      let scopes = try (0..<3).map { try ScopeID(kind: "list", value: "\($0)") }
      try await data.grant(.editor, inScopes: scopes, toAccount: "Ida")
      try await data.grant(.viewer, inScopes: [scopes[1]], toAccount: "ida")
      let grants = try await data.storage.read { try $0.grants(of: id, after: 0) }
      #expect(Set(grants.map(\.scope)).isSuperset(of: scopes))
      #expect(grants.first { $0.scope == scopes[1] }?.role == .viewer)
      await #expect(throws: AccountError.self) {
        try await data.grant(.editor, inScopes: scopes, toAccount: "bo")
      }
    }
  }

  @Test func `Access by rules follows from the operator's grants, which cannot replace it`()
    async throws
  {
    try await withData { data in
      _ = try await SyncServer(data, manifest: Circles.manifest())
      let ida = AccountID(try await data.addAccount(named: "ida", password: nil))
      let ben = AccountID(try await data.addAccount(named: "ben", password: nil))
      let circle = try ScopeID("circle/c")
      for name in ["ida", "ben"] {
        try await data.grant(.editor, inScopes: [circle], toAccount: name)
      }
      let profile = try ScopeID(kind: "profile", value: ida.description)
      func role() async throws -> Role? {
        try await data.storage.read { try $0.grant(of: ben, in: profile)?.role }
      }
      #expect(try await role() == .viewer)
      let error = await #expect(throws: AccountError.self) {
        try await data.grant(.editor, inScopes: [profile], toAccount: "ben")
      }
      #expect(error?.code == .forbidden)
      #expect(try await role() == .viewer)
      try await data.grant(.revoked, inScopes: [circle], toAccount: "ida")
      #expect(try await role() == .revoked)
    }
  }

  @Test func `A token of the operator authenticates an account that was added`() async throws {
    try await withData { data in
      let id = try await data.addAccount(named: "ida", password: "correct horse")
      let token = try await data.makeToken(forAccount: "Ida")
      let server = try await SyncServer(data, manifest: try Lists.claimable())
      let account = try await send(.get, "/v1/account", token: token, to: server).json()
      #expect(account["account"] as? String == id.uuidString)
      let signIn = ["name": "ida", "password": "correct horse"]
      #expect(try await send(.post, "/v1/tokens", to: server, signIn).status == .created)
    }
  }

  @Test func `An account without a password is used by tokens alone`() async throws {
    try await withData { data in
      try await data.addAccount(named: "robot", password: nil)
      let server = try await SyncServer(data, manifest: try Lists.claimable())
      for password in ["", "robot"] {
        let signIn = ["name": "robot", "password": password]
        #expect(try await send(.post, "/v1/tokens", to: server, signIn).status == .unauthorized)
      }
      let token = try await data.makeToken(forAccount: "robot")
      #expect(try await send(.get, "/v1/account", token: token, to: server).status == .ok)
    }
  }

  @Test func `Commands for accounts are refused with a reason`() async throws {
    try await withData { data in
      try await data.addAccount(named: "ida", password: nil)
      let codes: [(AccountError.Code, () async throws -> Void)] = [
        (.taken, { try await data.addAccount(named: "IDA", password: nil) }),
        (.invalidName, { try await data.addAccount(named: "i", password: nil) }),
        (.weakPassword, { try await data.addAccount(named: "eve", password: "short") }),
        (.notFound, { _ = try await data.makeToken(forAccount: "eve") }),
      ]
      for (code, command) in codes {
        let error = await #expect(throws: AccountError.self) { try await command() }
        #expect(error?.code == code)
      }
    }
  }

  @Test func `A new epoch differs from the former one`() async throws {
    try await withData { data in
      let former = try await data.storage.read { try $0.epoch() }
      try await data.beginEpoch()
      let epoch = try await data.storage.read { try $0.epoch() }
      #expect(epoch != former && epoch != 0)
    }
  }

  @Test func `A new epoch leaves blobs time until devices send their rows again`() async throws {
    try await withData { data in
      let (scope, hash, start) = (try Lists.scope(), ContentHash(of: [1]), SystemClock.now())
      try await data.storage.write { transaction in
        try transaction.addBlob(
          StoredBlob(hash: hash, scope: scope, account: .sample(1), byteCount: 1, unused: 5))
      }
      try await data.beginEpoch()
      let blob = try await data.storage.read { try $0.blobs(hash).first }
      #expect(try #require(blob?.unused) >= start)
    }
  }

  @Test func `A new epoch ends access tokens and invitations, unless they are to stay`()
    async throws
  {
    try await withData { data in
      let id = AccountID(try await data.addAccount(named: "ida", password: nil))
      let token = try await data.makeToken(forAccount: "ida")
      try await data.storage.write { transaction in
        try transaction.addInvitation(
          Invitation(
            hash: Secret.sample(1).hash, scope: Lists.scope("1"), role: .viewer, inviter: id,
            expires: .max))
      }
      let none = try await data.beginEpoch(keepingTokens: true, keepingInvitations: true)
      #expect(none == ServerData.EndedAccess())
      let server = try await SyncServer(data, manifest: try Lists.manifest())
      #expect(try await send(.get, "/v1/account", token: token, to: server).status == .ok)
      let tokens = try await data.beginEpoch(keepingInvitations: true)
      #expect(tokens.tokens == 1 && tokens.invitations == 0)
      #expect(
        try await send(.get, "/v1/account", token: token, to: server).status == .unauthorized)
      let invitations = try await data.beginEpoch()
      #expect(invitations.tokens == 0 && invitations.invitations == 1)
    }
  }

  @Test func `A server adopts its manifest, and refuses an older one`() async throws {
    try await withData { data in
      _ = try await SyncServer(data, manifest: try Lists.manifest(version: 2))
      let error = await #expect(throws: WireError.self) {
        _ = try await SyncServer(data, manifest: try Lists.manifest(version: 1))
      }
      #expect(error?.code == .invalidManifest)
    }
  }

  @Test func `A server stores blobs in a folder beside its file`() async throws {
    try await withData { data in
      let server = try await SyncServer(data, manifest: try Lists.manifest())
      #expect(server.routes.contains { $0.pattern == "v1/blobs/:hash" })
      #expect(FileManager.default.fileExists(atPath: "\(folder)/server.sqlite-blobs/partial"))
    }
  }

  @Test func `A device with a manifest older than the oldest is asked to update`() async throws {
    try await withData { data in
      var configuration = ServerConfiguration()
      configuration.oldestVersion = 2
      let server = try await SyncServer(
        data, manifest: try Lists.manifest(version: 2), configuration: configuration)
      try await data.addAccount(named: "ida", password: nil)
      var request = Request(.post, "/v1/pull", remoteAddress: "192.0.2.1")
      request.headers["Authorization"] = "Bearer \(try await data.makeToken(forAccount: "ida"))"
      request.body =
        PullRequest(
          device: .sample(1), manifestVersion: 1, capabilities: .all, grantsAfter: 0, cursors: [],
          limit: 1
        ).body
      #expect(await server.router.respond(to: request).status.rawValue == 426)
    }
  }

  @Test func `Tombstones are collected, and a failure is logged`() async throws {
    try await withData { data in
      let lines = LogLines()
      var configuration = ServerConfiguration()
      configuration.log = lines.log
      let server = try await SyncServer(
        data, manifest: try Lists.manifest(), configuration: configuration)
      let scope = try Lists.scope()
      try await data.storage.write { transaction in
        try transaction.setRow(.sample("a", seq: 1, .deleted), in: scope)
        try transaction.setScope(scope, ScopeState(head: 1, epoch: 7))
      }
      for _ in 0..<2 { await server.collectTombstones(olderThan: .zero) }
      #expect(try await data.storage.read { try $0.rows(in: scope, after: 0, limit: 9) } == [])
      await data.close()
      await server.collectTombstones(olderThan: .zero)
      let line = try #require(try lines.json().first)
      #expect(Set(line.keys) == ["time", "level", "error"])
    }
  }
}
