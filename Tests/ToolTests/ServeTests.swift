import Foundation
import OffshoreServer
import OffshoreWire
import TestSupport
import Testing

/// The server as a process.
struct ServeTests {
  private let folder: ToolFolder

  init() throws { folder = try ToolFolder() }

  @Test(.timeLimit(.minutes(2)))
  func `The server answers, ends event streams when stopped, and has all data after a restart`()
    async throws
  {
    let (first, address) = try await folder.serve()
    let stranger = Client(address: address)
    #expect(try await stranger.send("GET", "/readyz").text == "ready")
    let person = ["name": "ida", "password": "correct horse"]
    let signedUp = try await stranger.send("POST", "/v1/accounts", person)
    #expect(signedUp.status == 201)
    let token = try #require(signedUp.json["token"] as? String)
    let client = Client(address: address, token: token)
    async let stream = client.send("GET", "/v1/events")
    var isListening = false
    while !isListening {
      isListening = try await stranger.send("GET", "/metrics").text
        .contains("offshore_event_streams 1\n")
    }
    let start = ContinuousClock.now
    first.signal(SIGTERM)
    // A stream ends at once, without the deadline that requests in progress have.
    #expect(try await stream.status == 200)
    #expect(await first.status() == 0)
    #expect(start.duration(to: .now) < .seconds(5))
    await #expect(throws: URLError.self) { try await client.send("GET", "/healthz") }

    let (second, newAddress) = try await folder.serve()
    let known = Client(address: newAddress, token: token)
    #expect(try await known.send("GET", "/v1/account").json["name"] as? String == "ida")
    second.signal(SIGINT)
    #expect(await second.status() == 0)
  }

  @Test(.timeLimit(.minutes(2)))
  func `Several apps have separate files and accounts, and the first answers at the root`()
    async throws
  {
    let process = try ToolProcess([
      "serve", "--data", folder.path, "--app", "one=\(folder.manifest)", "two=\(folder.manifest)",
      "--listen", "127.0.0.1:0", "--open-sign-up", "yes",
    ])
    await process.wait(for: "\n")
    let address = process.text.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
    let client = Client(address: address)
    let person = ["name": "ida", "password": "correct horse"]
    #expect(try await client.send("POST", "/one/v1/accounts", person).status == 201)
    #expect(try await client.send("POST", "/v1/tokens", person).status == 201)
    #expect(try await client.send("POST", "/two/v1/tokens", person).status == 401)
    process.signal(SIGTERM)
    #expect(await process.status() == 0)
    for name in ["one.sqlite", "two.sqlite", "one.sqlite-blobs"] {
      #expect(FileManager.default.fileExists(atPath: folder.file(name)))
    }
    let one = ["--data", folder.file("one.sqlite")]
    #expect(try await ToolProcess.run(["token", "ida"] + one).status == 0)
    #expect(process.errors.contains(#""app":"two""#))
  }

  @Test(.timeLimit(.minutes(2)))
  func `An app whose file or manifest cannot be used is named`() async throws {
    try Data("{}".utf8).write(to: URL(filePath: folder.file("broken.json")))
    try Data("no database".utf8).write(to: URL(filePath: folder.file("two.sqlite")))
    for (data, app, parts) in [
      (folder.path, "three=\(folder.file("none"))", ["none", "--app three=MANIFEST"]),
      (folder.path, "three=\(folder.file("broken.json"))", ["three", "manifest", "Export"]),
      (folder.path, "two=\(folder.manifest)", ["two.sqlite", "cannot be kept"]),
      (folder.manifest, "three=\(folder.manifest)", ["is a file", "NAME.sqlite"]),
    ] {
      let result = try await ToolProcess.run(
        [
          "serve", "--data", data, "--app", "one=\(folder.manifest)", app,
          "--listen", "127.0.0.1:0",
        ])
      #expect(result.status == 1 && result.text.isEmpty)
      for part in parts { #expect(result.errors.contains(part), "\(result.errors)") }
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func `The server's files are readable by its user only`() async throws {
    let (server, address) = try await folder.serve()
    let person = ["name": "ida", "password": "correct horse"]
    #expect(try await Client(address: address).send("POST", "/v1/accounts", person).status == 201)
    for (name, mode) in [("", 0o600), ("-wal", 0o600), ("-blobs", 0o700)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.data + name)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode)
    }
    server.signal(SIGTERM)
    #expect(await server.status() == 0)
  }

  @Test(.timeLimit(.minutes(2)))
  func `Old tombstones are deleted`() async throws {
    let scope = try ScopeID("list/1")
    let log = try SQLiteStorage(folder.data, epoch: 7)
    try await log.write { log in
      let state = RowState(
        presence: .deleted, stamp: Stamp(milliseconds: 1, device: DeviceID(UUID())))
      let row = RowID(table: "tasks", id: "a")
      try log.setRow(SyncedRow(row, seq: 5, state: state), in: scope)
      try log.setScope(scope, ScopeState(head: 5, epoch: 7))
      try log.addTombstoneMark(TombstoneMark(scope, seq: 5, time: 1))
    }
    let (server, _) = try await folder.serve(["--retention", "1"])
    var minSeq: Int64 = 0
    while minSeq == 0 { minSeq = try await log.read { try $0.scope(scope).minSeq } }
    #expect(minSeq == 5)
    await log.close()
    server.signal(SIGTERM)
    #expect(await server.status() == 0)
  }

  @Test(.timeLimit(.minutes(2)))
  func `A restored file begins a new epoch and keeps all data`() async throws {
    let (server, _) = try await folder.serve()
    #expect(
      try await ToolProcess.run(
        ["account", "add", "ida", "--data", folder.data], input: "correct horse\n"
      ).status == 0)
    server.signal(SIGTERM)
    #expect(await server.status() == 0)
    func epoch() async throws -> UInt64 {
      let log = try SQLiteStorage(folder.data, epoch: 1)
      let epoch = try await log.read { try $0.epoch() }
      await log.close()
      return epoch
    }
    let before = try await epoch()
    let restored = try await ToolProcess.run(["restored", "--data", folder.data])
    #expect(restored.status == 0 && restored.errors.isEmpty)
    #expect(restored.text.contains("sends again what it wrote after the copy was made"))
    #expect(try await epoch() != before)
    #expect(try await ToolProcess.run(["token", "ida", "--data", folder.data]).status == 0)
    let missing = try await ToolProcess.run(
      ["restored"], environment: ["OFFSHORE_DATA": folder.file("none")])
    #expect(missing.status == 1 && missing.errors.contains("There is no data"))
    let invalid = [
      ["restored"], ["restored", "x", "--data", folder.data],
      ["restored", "--keep-tokens", "yes", "--data", folder.data],
    ]
    for arguments in invalid { #expect(try await ToolProcess.run(arguments).status == 2) }
  }

  @Test(.timeLimit(.minutes(2)))
  func `A restored file's access tokens end, unless they are to stay`() async throws {
    let (first, _) = try await folder.serve()
    #expect(
      try await ToolProcess.run(
        ["account", "add", "ida", "--data", folder.data], input: "correct horse\n"
      ).status == 0)
    // The commands work beside a running server, except for this one.
    let token = try await ToolProcess.run(["token", "ida", "--data", folder.data]).text
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let early = try await ToolProcess.run(["restored", "--data", folder.data])
    #expect(early.status == 1)
    #expect(
      early.errors.contains("in use by another process (\(first.identifier)). Stop it first."))
    first.signal(SIGTERM)
    #expect(await first.status() == 0)

    let kept = try await ToolProcess.run(
      ["restored", "--keep-tokens", "--keep-invitations", "--data", folder.data])
    #expect(kept.status == 0 && kept.text.contains("Access tokens ended: 0."))
    let (second, address) = try await folder.serve()
    let client = Client(address: address, token: token)
    #expect(try await client.send("GET", "/v1/account").status == 200)
    second.signal(SIGTERM)
    #expect(await second.status() == 0)

    let ended = try await ToolProcess.run(["restored", "--data", folder.data])
    #expect(ended.status == 0 && ended.text.contains("Access tokens ended: 1."))
    #expect(ended.text.contains("Invitations ended: 0."))
    let (third, newAddress) = try await folder.serve()
    let former = Client(address: newAddress, token: token)
    #expect(try await former.send("GET", "/v1/account").status == 401)
    third.signal(SIGTERM)
    #expect(await third.status() == 0)
  }

  @Test(.timeLimit(.minutes(2)), .enabled(if: geteuid() == 0, "Only root creates files of others."))
  func `The lock that root creates belongs to the owner of the data`() async throws {
    let (server, _) = try await folder.serve()
    server.signal(SIGTERM)
    #expect(await server.status() == 0)
    let (files, lock) = (FileManager.default, folder.data + "-lock")
    try files.removeItem(atPath: lock)
    #expect(chown(folder.data, 4_321, 8_765) == 0)
    #expect(try await ToolProcess.run(["restored", "--data", folder.data]).status == 0)
    let attributes = try files.attributesOfItem(atPath: lock)
    #expect(attributes[.ownerAccountID] as? Int == 4_321)
    #expect(attributes[.groupOwnerAccountID] as? Int == 8_765)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test(.timeLimit(.minutes(2)))
  func `A link in place of the lock is not followed`() async throws {
    let (server, _) = try await folder.serve()
    server.signal(SIGTERM)
    #expect(await server.status() == 0)
    let lock = folder.data + "-lock"
    try FileManager.default.removeItem(atPath: lock)
    try FileManager.default.createSymbolicLink(
      atPath: lock, withDestinationPath: folder.file("other"))
    let restored = try await ToolProcess.run(["restored", "--data", folder.data])
    #expect(restored.status == 1 && restored.errors.contains("symbolic links"))
    #expect(!FileManager.default.fileExists(atPath: folder.file("other")))
  }

  @Test(.timeLimit(.minutes(2)))
  func `A second server of a file refuses to start, and can once the first was killed`()
    async throws
  {
    let (first, address) = try await folder.serve()
    let second = try await ToolProcess.run(folder.serving)
    #expect(second.status == 1)
    #expect(second.errors.contains("is served by another process (\(first.identifier)). Stop that"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link.sqlite"), withDestinationPath: folder.data)
    var linked = folder.serving
    linked[2] = folder.file("link.sqlite")
    #expect(try await ToolProcess.run(linked).status == 1)
    #expect(try await Client(address: address).send("GET", "/readyz").text == "ready")
    first.signal(SIGKILL)
    _ = await first.status()
    let (third, newAddress) = try await folder.serve()
    #expect(try await Client(address: newAddress).send("GET", "/readyz").text == "ready")
    third.signal(SIGTERM)
    #expect(await third.status() == 0)
  }

  @Test(.timeLimit(.minutes(2)))
  func `A system limit that allows too few connections is reported`() async throws {
    let tool = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "offshore").path(percentEncoded: false)
    let line = ([tool] + folder.serving).map { "'\($0)'" }.joined(separator: " ")
    let result = try Command("sh", "-c", "ulimit -n 300; exec \(line) 2>&1").run()
    #expect(result.status == 1 && result.text.contains("may have 300 files open"))
  }

  @Test(.timeLimit(.minutes(2)))
  func `Sign-up is refused unless it is open`() async throws {
    let closed = Array(folder.serving.dropLast(2))
    let process = try ToolProcess(closed)
    await process.wait(for: "\n")
    let address = process.text.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
    let answer = try await Client(address: address).send(
      "POST", "/v1/accounts", ["name": "ida", "password": "correct horse"])
    #expect(answer.status == 403 && answer.text.contains("Ask the server's operator"))
    process.signal(SIGTERM)
    #expect(await process.status() == 0)
  }

  @Test(.timeLimit(.minutes(2)))
  func `Errors are reported with a remedy`() async throws {
    let (server, address) = try await folder.serve()
    let port = String(address.split(separator: ":").last ?? "")
    let broken = folder.file("broken.json")
    try Data("{}".utf8).write(to: URL(filePath: broken))
    for (option, value, parts) in [
      ("--listen", "127.0.0.1:\(port)", ["port \(port)", "--listen"]),
      ("--listen", "192.0.2.1:0", ["192.0.2.1", "--listen"]),
      ("--manifest", folder.file("none.json"), ["none.json", "--manifest"]),
      ("--manifest", broken, ["manifest", "Export"]),
      ("--data", "\(folder.path)/none/data", ["There is no folder", "--data"]),
      ("--data", folder.path, ["cannot be kept"]), ("--data", broken, ["cannot be kept"]),
      ("--tls-certificate", broken, ["Certificate and key"]),
      ("--metrics-token", folder.file("none"), ["none", "--metrics-token"]),
    ] {
      var serving = folder.serving + ["--metrics-token", folder.manifest]
      // The running server has the folder's file.
      serving[2] = folder.file("other.sqlite")
      if option.hasPrefix("--tls") {
        serving += ["--tls-certificate", folder.manifest, "--tls-key", folder.manifest]
      }
      let place = try #require(serving.firstIndex(of: option))
      let result = try await ToolProcess.run(
        serving[..<(place + 1)] + [value] + serving[(place + 2)...])
      #expect(result.status == 1 && result.text.isEmpty)
      for part in parts { #expect(result.errors.contains(part), "\(result.errors)") }
      #expect(result.errors.hasPrefix("offshore: ") && result.errors.hasSuffix("\n"))
    }
    server.signal(SIGTERM)
    #expect(await server.status() == 0)
  }

  @Test(.timeLimit(.minutes(2)))
  func `A manifest that lacks columns of the file is refused, and a newer one accepted`()
    async throws
  {
    let file = URL(filePath: folder.manifest)
    let older = try ToolFolder.manifest().json()
    try ToolFolder.manifest(version: 2, more: [SyncedColumn("done", .integer)]).json()
      .write(to: file)
    let (first, _) = try await folder.serve()
    first.signal(SIGTERM)
    #expect(await first.status() == 0)
    try older.write(to: file)
    let refused = try await ToolProcess.run(folder.serving)
    #expect(refused.status == 1 && refused.errors.contains("served under 2"))
    try ToolFolder.manifest(version: 3).json().write(to: file)
    let lacking = try await ToolProcess.run(folder.serving)
    #expect(lacking.status == 1 && lacking.errors.contains("tables.tasks.columns.done"))
  }

  @Test(.timeLimit(.minutes(2)))
  func `The server encrypts by a certificate, logs each request, and shows its metrics`()
    async throws
  {
    let certificates = try CertificateFolder()
    let (server, address) = try await folder.serve([
      "--tls-certificate", certificates.certificate, "--tls-key", certificates.key,
    ])
    #expect(address.hasPrefix("https://127.0.0.1:"))
    let answer = try Command(
      "openssl", "s_client", "-quiet", "-connect", String(address.dropFirst(8)), "-CAfile",
      certificates.certificate, "-verify_return_error", "-verify_ip", "127.0.0.1",
      input: "GET /metrics HTTP/1.1\r\nHost: a\r\nX-Request-ID: abc\r\nConnection: close\r\n\r\n"
    ).run().text
    #expect(answer.hasPrefix("HTTP/1.1 200") && answer.contains("offshore_event_streams 0"))
    server.signal(SIGTERM)
    #expect(await server.status() == 0)
    let line = try #require(server.errors.split(separator: "\n").first)
    let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    #expect(json?["request"] as? String == "abc" && json?["route"] as? String == "/metrics")
  }

  @Test(.timeLimit(.minutes(1)))
  func `The tool prints its help and version, and refuses unknown commands`() async throws {
    let help = try await ToolProcess.run(["serve", "--help"])
    #expect(help.status == 0 && help.text.contains("--data FILE") && help.errors.isEmpty)
    #expect(try await ToolProcess.run(["--version"]).text.hasPrefix("offshore "))
    for arguments in [[], ["fly"], ["account"], ["serve", "--fly"], ["token"]] {
      let refused = try await ToolProcess.run(arguments)
      #expect(refused.status == 2 && refused.errors.contains("--help") && refused.text.isEmpty)
    }
  }
}
