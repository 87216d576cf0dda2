import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// The table of limits in `SECURITY.md`, against the limits of the code.
struct SecurityDocumentTests {
  /// The values by limit, and the names in the last column.
  private let rows: [String: (value: String, changedBy: String)]

  init() throws {
    let url = URL(filePath: #filePath).appending(path: "../../../../SECURITY.md").standardized
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    rows = Dictionary(
      lines.filter { $0.hasPrefix("| ") }.map { line in
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        return (cells[0], (cells[1], cells[2]))
      }, uniquingKeysWith: { first, _ in first })
  }

  private func expect(
    _ limit: String, _ values: String..., location: SourceLocation = #_sourceLocation
  ) {
    #expect(
      rows[limit]?.value == values.joined(separator: "; "), "\(limit)", sourceLocation: location)
  }

  private func mebibytes(_ bytes: some BinaryInteger) -> String { "\(bytes >> 20) MiB" }
  private func kibibytes(_ bytes: some BinaryInteger) -> String { "\(bytes >> 10) KiB" }
  private func count(_ number: some BinaryInteger) -> String {
    Int(number).formatted(.number.locale(Locale(identifier: "en_US")))
  }
  private func days(_ milliseconds: Int64) -> String { "\(milliseconds / 86_400_000) days" }
  private func seconds(_ duration: Duration) -> String { "\(duration.components.seconds) s" }

  @Test func `The limits of connections and memory are those of the default configuration`() {
    let http = HTTPServer.Configuration()
    expect(
      "connections", "20,000, or as many as open files are allowed less 256",
      count(http.maximumConnections))
    expect(
      "connections of one address", "1,000, without a limit behind trusted proxies",
      count(http.maximumConnectionsPerAddress))
    expect("head of a request", "4 KiB", kibibytes(http.maximumHeaderSize))
    expect("path and query", "\(count(http.maximumTargetLength)) bytes")
    expect(
      "time for a head; for a connection without a request", seconds(http.headerDeadline),
      seconds(http.idleTimeout))
    expect(
      "a body or answer without progress; in all", seconds(http.stallTimeout),
      "\(http.bodyDeadline.components.seconds / 60) min")
    #expect(http.bodyDeadline == http.responseDeadline)
    expect("time for current requests when the server stops", seconds(http.stopDeadline))
    expect(
      "bodies and answers held at once; for one account", mebibytes(http.maximumHeldBytes),
      mebibytes(http.maximumHeldBytesPerClient))
  }

  @Test func `The limits of messages, scopes and rows are those of the rules`() throws {
    let rules = try PushRules(Lists.manifest())
    expect("a push, pull or row after decompression", mebibytes(WireLimits.bodyBytes))
    expect("a request with credentials or an invitation", kibibytes(ServerRoute.formLimit))
    expect(
      "ops of a push; batches", count(WireLimits.opsPerPush), count(WireLimits.batchesPerPush))
    expect(
      "fields of an op; of all ops of a push", count(WireLimits.fieldsPerOp),
      count(WireLimits.fieldsPerMessage))
    expect("bytes of the id of a row", count(WireLimits.idBytes))
    expect(
      "a value; an op; a row", mebibytes(WireLimits.valueBytes), mebibytes(WireLimits.opBytes),
      mebibytes(WireLimits.rowBytes))
    expect(
      "rows that a batch may change with their conflicts, in bytes",
      mebibytes(rules.maximumStagedBytes))
    expect(
      "bytes that the merges of a batch read and write; of a push, the rest of which has to be sent again",
      mebibytes(rules.maximumProcessedBytes), mebibytes(rules.processedBytesPerPush))
    expect(
      "scopes of a pull; rows of a scope in an answer", count(WireLimits.scopesPerPull),
      count(WireLimits.rowsPerPage))
    expect("conflicts of a scope in an answer", count(WireLimits.conflictsPerPage))
    expect(
      "rows of a page of the interface for other clients", count(RowReading.maximumLimit))
    expect(
      "time for which an idempotency key is stored", "\(IdempotencyKey.lifetime / 3_600_000) h")
    // The refused insertion of the lowest generation is stored besides.
    expect("refused edits stored for a row and device", count(RefusalRecorder.limit + 1))
    expect(
      "refused edits of an account that may not write, for a device; devices in a scope",
      "\(count(rules.maximumForbiddenOps)) and one batch", count(rules.maximumForbiddenDevices))
    expect("scopes that an account claims, ever", count(rules.maximumClaims))
    expect(
      "time by which a change may be ahead of the server's clock", "\(rules.tolerance / 1_000) s")
  }

  @Test func `The limits of accounts, invitations and blobs are those of the rules`() {
    let (accounts, members, blobs) = (AccountRules(), MembershipRules(), BlobLimits())
    let length = PasswordHasher.allowedLength
    expect("characters of a password", "\(length.lowerBound) to \(length.upperBound)")
    expect(
      "access tokens of an account; lifetime",
      "\(accounts.maximumTokens), then the oldest ends", days(accounts.tokenLifetime))
    expect("requests of an account in hand; waiting", count(AccountTurns.defaultLimit), "100")
    expect("event streams of an account", "\(HintHub.streamsPerAccount), then the oldest ends")
    expect(
      "open invitations to a scope; lifetime", count(members.maximumInvitations),
      days(members.invitationLifetime))
    expect("a blob", mebibytes(blobs.bytesPerBlob))
    expect("a part of a blob", mebibytes(BlobStore.partBytes))
    expect(
      "blobs and unfinished uploads of an account", "\(blobs.bytesPerAccount >> 30) GiB")
    expect("blobs of a scope", "\(blobs.bytesPerScope >> 30) GiB")
    expect(
      "unfinished uploads of an account; lifetime", count(blobs.uploads),
      days(blobs.uploadLifetime))
    expect(
      "blob to which no row refers, if tables of its scope have file columns",
      days(blobs.unusedLifetime))
    expect("file of a blob that the data does not know", days(BlobSweep.grace))
  }

  @Test func `Each property that changes a limit exists`() throws {
    let properties = [
      Mirror(reflecting: HTTPServer.Configuration()), Mirror(reflecting: ServerConfiguration()),
      Mirror(reflecting: BlobLimits()),
    ].flatMap(\.children).compactMap(\.label)
    let named = rows.values.flatMap { $0.changedBy.split(separator: "`") }
      .map(String.init).filter { $0.first?.isLetter == true }
    #expect(named.count > 8)
    #expect(named.filter { !properties.contains($0) } == ["changed by"])
  }
}
