import Foundation
import Offshore
import OffshoreHTTP
import OffshoreWire
import Synchronization
import TestSupport
import Testing

@testable import OffshoreServer

/// Broken versions of valid requests, over real connections to a server with a real file.
struct RequestMutationTests {
  /// A folder that is removed with the object.
  private final class Folder: Sendable {
    let path = FileManager.default.temporaryDirectory
      .appending(path: "offshore-mutations-\(UUID().uuidString)").path(percentEncoded: false)

    init() throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private let folder: Folder
  private let log: SQLiteStorage
  private let server: HTTPServer
  private let service: SyncServer

  init() throws {
    folder = try Folder()
    log = try SQLiteStorage("\(folder.path)/data", epoch: 7)
    var options = ServerConfiguration()
    options.trustedProxies = [try #require(AddressRange("127.0.0.1"))]
    // The clock advances with each request, so that rate limits are not reached.
    let time = Atomic<Int64>(1_000_000)
    service = SyncServer(
      storage: log, rules: try PushRules(Lists.claimable()),
      blobs: try BlobStore("\(folder.path)/blobs"), hasher: PasswordHasher(cost: .least),
      configuration: options,
      clock: { time.add(200, ordering: .relaxed).newValue })
    var configuration = HTTPServer.Configuration()
    configuration.headerDeadline = .milliseconds(500)
    configuration.bodyDeadline = .milliseconds(500)
    configuration.idleTimeout = .seconds(1)
    server = HTTPServer(configuration, router: service.router)
  }

  /// Returns the valid requests of a device and its user.
  private static func sound(_ code: String) throws -> [MutatedRequest.Sound] {
    let push = PushRequest(
      device: .sample(1), epoch: 7, manifestVersion: 1,
      batches: [try TestServer.batch(1, [.list(at: 900), .task("a", at: 901)])])
    let pull = PullRequest(
      device: .sample(1), manifestVersion: 1, capabilities: .all, grantsAfter: 0,
      cursors: [
        PullCursor(
          try Lists.scope(), epoch: 0, position: .snapshot(head: nil, after: nil),
          acknowledged: 0, conflictsAfter: 0)
      ], limit: 100)
    let rows = "/v1/tables/tasks/rows"
    let credentials = #"{"name":"ben","password":"correct horse","device":"a"}"#
    let passwords = #"{"password":"wrong horse","newPassword":"battery staple"}"#
    // NB: The version in `If-Match` is outdated. So the row stays the same, whatever else is
    // changed.
    let patch = MutatedRequest.Sound(
      "PATCH", "\(rows)/a?scope=list/1", json: #"{"values":{"title":"a task"}}"#
    ).with("If-Match", #""8b823266d6d23fc699c2655d5b26c27e", "x""#)
    let put = MutatedRequest.Sound(
      "PUT", "\(rows)/a?scope=list/1&form=message", json: #"{"values":{"title":"a task"}}"#
    ).with("If-Match", #""8b823266d6d23fc699c2655d5b26c27e", "x""#).with("If-Match", #""y""#)
    let stranger = #"{"scope":"person/\#(UUID.sample(200))","values":{}}"#
    return [
      .init("/v1/push", push), .init("/v1/pull", pull),
      .init("/v1/push", push).compressed, .init("/v1/pull", pull).compressed,
      .init("/v1/pull", pull).with("Accept-Encoding", "gzip;q=0.5, br"),
      .init("POST", "/v1/tokens", json: credentials),
      .init("POST", "/v1/accounts", json: credentials),
      .init("POST", "/v1/accounts", json: credentials).compressed,
      .init("POST", "/v1/password", json: passwords),
      .init("DELETE", "/v1/account", json: #"{"password":"wrong horse"}"#),
      .init("POST", "/v1/scopes/list/1/invitations", json: #"{"role":"viewer"}"#),
      .init("POST", "/v1/invitations", json: #"{"code":"\#(code)"}"#),
      .init("PUT", "/v1/scopes/list/1/members/\(UUID.sample(1))", json: #"{"role":"editor"}"#),
      .init("GET", "/v1/scopes/list/1/members"),
      .init("GET", "/v1/events"),
      .init("GET", "\(rows)?scope=list/1&limit=10"),
      .init("GET", "\(rows)/a?scope=list/1").with("If-None-Match", #""x", W/"y""#),
      .init("POST", "/v1/tables/diary/rows", json: stranger).with("Idempotency-Key", "k-1"),
      patch, patch.with("Idempotency-Key", "k-2"), put,
      put.with("Idempotency-Key", "k-3").with("If-None-Match", #"W/"y""#),
      .init("DELETE", "\(rows)/none?scope=list/1").with("If-Match", "*"),
      .init("PUT", "\(blobPath)?scope=list/1", body: blob)
        .with("Upload-Offset", "0").with("Upload-Length", "\(blob.count)"),
      .init("GET", blobPath).with("Range", "bytes=10-99").with("If-Range", #""x""#),
      .init("GET", blobPath).with("Range", "bytes=-5"),
      .init("DELETE", "/v1/blobs/\(ContentHash(of: [9]))?scope=list/1"),
    ]
  }

  private static let blob = [UInt8](repeating: 0x61, count: 2_000)
  private static var blobPath: String { "/v1/blobs/\(ContentHash(of: blob))" }

  /// The results of all requests.
  private struct Tally: Sendable {
    var statuses: [Int: Int] = [:]
    var wrong: [String] = []
  }

  @Test(.timeLimit(.minutes(60)))
  func `A broken request is refused and changes nothing, and the server continues`() async throws {
    let isSoak = ProcessInfo.processInfo.environment["OFFSHORE_SOAK"] != nil
    let count = isSoak ? 100_000 : 2_000
    let port = try server.start()
    let token = try await signUp()
    let sound = try Self.sound(Secret.sample(3).text)
    let tally = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { [folder] in
        continuation.resume(
          with: Result { try Self.run(count, sound, token, port, "\(folder.path)/data") })
      }
    }
    print("mutations: \(tally.statuses.sorted { $0.key < $1.key })")
    #expect(tally.wrong.isEmpty)
    #expect(tally.statuses.values.reduce(0, +) == count)
    #expect((tally.statuses[400] ?? 0) > count / 20 && (tally.statuses[401] ?? 0) > count / 40)
    #expect((tally.statuses[200] ?? 0) > count / 40)
    try await expectUnchanged()
    await server.stop()
    await log.close()
  }

  /// Creates an account with a list, a task and a blob, and a second account.
  /// - Returns: The access token of the first.
  private func signUp() async throws -> String {
    let secret = Secret.sample(7)
    let password = try await PasswordHasher(cost: .least).hash("correct horse")
    let (accounts, rules) = (service.accounts, service.push)
    try await log.write { transaction in
      for (name, number) in [("ida", UInt8(9)), ("ben", 8)] {
        try accounts.signUp(
          AccountName(name), password, as: .sample(number), at: 0, in: &transaction)
      }
      _ = try accounts.addToken(secret, for: .sample(9), label: "", at: 0, in: &transaction)
      let batch = try TestServer.batch(1, [.list(at: 900), .task("a", at: 901)])
      _ = try rules.apply(
        PushRequest(device: .sample(1), epoch: 7, manifestVersion: 1, batches: [batch]),
        of: .sample(9), at: 1_000, to: &transaction)
    }
    let request = Request(
      .put, "\(Self.blobPath)?scope=list/1", headers: ["Authorization": "Bearer \(secret.text)"],
      body: Self.blob)
    #expect(await service.router.respond(to: request).status == .created)
    return secret.text
  }

  /// Checks that accounts, grants, rows and blobs have not changed.
  private func expectUnchanged() async throws {
    let scope = try Lists.scope()
    let hasher = PasswordHasher(cost: .least)
    for (number, name) in [(UInt8(9), "ida"), (8, "ben")] {
      let account = try await log.read { try $0.account(.sample(number)) }
      #expect(account?.name.text == name)
      #expect(try await hasher.matches("correct horse", account?.password))
    }
    try await log.read { log in
      let own = try AccountRules.personalScope("person", of: .sample(9))
      let grants = try log.grants(of: .sample(9), after: 0).map { ($0.scope, $0.role) }
      #expect(grants.map(\.0) == [own, scope] && grants.map(\.1) == [.owner, .owner])
      #expect(try log.members(of: scope).map(\.account) == [.sample(9)])
      let rows = try log.rows(in: scope, after: 0, limit: 9)
        .filter { $0.row.table != MemberRow.table }
      #expect(rows.map(\.row) == [Lists.list(), Lists.task("a")])
      #expect(rows.map(\.state.stamp) == [.at(900), .at(901)])
      #expect(rows.last?.state.fields["title"] == "a task")
      #expect(try log.blobs(ContentHash(of: Self.blob)).map(\.scope) == [scope])
    }
  }

  private static func run(
    _ count: Int, _ sound: [MutatedRequest.Sound], _ token: String, _ port: UInt16, _ path: String
  ) throws -> Tally {
    var (tally, random) = (Tally(), SeededRandom(seed: 1))
    let watch = try Connection(path)
    func version() throws -> Int64 {
      try watch.read { try SQL("PRAGMA data_version").first($0, as: Int64.self) ?? 0 }
    }
    var before = try version()
    for number in 0..<count {
      let original = sound[random.number(below: sound.count)]
      let request = MutatedRequest(
        original, token: token,
        address: "10.\(number / 65_536).\(number / 256 % 256).\(number % 256)", using: &random)
      let socket = try RawSocket(port: port)
      let answer = socket.exchange(request.bytes, isLast: request.isRaw)
      let after = try version()
      let status = Self.status(answer)
      tally.statuses[status, default: 0] += 1
      let isRight =
        200..<300 ~= status
        || (304...304 ~= status || 400..<500 ~= status || status == 505) && after == before
        || status == 0 && request.isRaw && after == before
        // A device with a newer version than the server has to wait.
        || status == 503 && after == before
          && Self.contains(answer, "\(WireProblem.Code.unavailable)")
      if !isRight {
        tally.wrong.append(
          "\(number): \(status) \(after == before) \(String(decoding: request.bytes, as: UTF8.self))"
        )
      }
      before = after
    }
    return tally
  }

  private static func contains(_ answer: [UInt8], _ text: String) -> Bool {
    answer.firstRange(of: Array(text.utf8)) != nil
  }

  private static func status(_ answer: [UInt8]) -> Int {
    String(decoding: answer.prefix(64), as: UTF8.self).split(separator: " ").dropFirst().first
      .flatMap { Int($0) } ?? 0
  }
}
