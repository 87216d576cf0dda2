import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// The blobs to which the rows of a scope refer, after each kind of change. Tasks have photos.
struct BlobUseTests {
  private var server: TestServer
  private let hash = ContentHash(of: [1])
  private let other = ContentHash(of: [2])

  /// Both lists have both blobs, which are unused since 5.
  init() throws {
    server = try TestServer()
    server.pushRules = try PushRules(Lists.withPhotos())
    for list in ["1", "2"] {
      _ = try server.push(1, in: list, [.list(list, at: 1)])
      for hash in [hash, other] {
        server.log.addBlob(
          StoredBlob(
            hash: hash, scope: try Lists.scope(list), account: .sample(1), byteCount: 1, unused: 5))
      }
    }
  }

  /// Returns the time since which a blob is unused, or `nil` if a row refers to it.
  private func unused(_ hash: ContentHash, in list: String = "1") throws -> Int64? {
    let scope = try Lists.scope(list)
    let blob = try #require(server.log.blobs(hash).first { $0.scope == scope })
    #expect(server.log.isUsed(hash, in: scope) == (blob.unused == nil))
    return blob.unused
  }

  /// Inserts a task with a photo.
  private mutating func insert(
    _ id: String = "a", _ number: Int64 = 2, in list: String = "1"
  ) throws {
    let op = Op.task(id, in: list, at: 10, ["photo": .file(hash)])
    #expect(try server.push(number, in: list, [op])?.range != nil)
    #expect(try unused(hash, in: list) == nil)
    server.now += 100
  }

  // MARK: - Rows

  @Test mutating func `An inserted row uses its blob in its own scope`() throws {
    try insert()
    #expect(try unused(other) == 5)
    #expect(try unused(hash, in: "2") == 5)
  }

  @Test mutating func `An edit uses another blob in place of the former one`() throws {
    try insert()
    _ = try server.push(3, [.edit("a", ["photo": .file(other)], at: 20)])
    #expect(try unused(hash) == server.now)
    #expect(try unused(other) == nil)
  }

  @Test mutating func `An edit of another column changes nothing`() throws {
    try insert()
    _ = try server.push(3, [.edit("a", ["title": .file(other)], at: 20)])
    #expect(try unused(hash) == nil && unused(other) == 5)
  }

  @Test(arguments: [WireValue.null, "https://example.com/a.jpg"])
  mutating func `A row without a photo, or with another text, uses none`(value: WireValue) throws {
    try insert()
    _ = try server.push(3, [.edit("a", ["photo": value], at: 20)])
    #expect(try unused(hash) == server.now)
  }

  @Test mutating func `A deleted row uses no blob until it is inserted again`() throws {
    try insert()
    _ = try server.push(3, [.delete(Lists.task("a"), at: 20)])
    #expect(try unused(hash) == server.now)
    _ = try server.push(4, [.task("a", generation: 3, at: 30, ["photo": .file(hash)])])
    #expect(try unused(hash) == nil)
  }

  @Test mutating func `A moved row uses the blob of its new scope`() throws {
    try insert()
    _ = try server.push(3, [.move("a", to: "2", at: 20)])
    #expect(try unused(hash) == server.now)
    #expect(try unused(hash, in: "2") == nil)
  }

  @Test mutating func `Rows that are deleted with another one use no blobs`() throws {
    try insert()
    _ = try server.push(3, [.delete(Lists.list(), at: 20)])
    #expect(try server.state(Lists.task("a"))?.isLiving == false)
    #expect(try unused(hash) == server.now)
  }

  @Test mutating func `A row that loses a reference to another row still uses its blob`() throws {
    try insert()
    _ = try server.push(3, [.task("b", at: 11), .edit("a", ["after": "b"], at: 12)])
    _ = try server.push(4, [.delete(Lists.task("b"), at: 20)])
    #expect(try server.state(Lists.task("a"))?.fields["after"] == .null)
    #expect(try unused(hash) == nil)
  }

  // MARK: - Several changes

  @Test mutating func `A refused batch changes nothing`() throws {
    let outcome = try server.push(
      2, [.task("a", at: 10, ["photo": .file(hash)]), .edit("a", ["none": 1], at: 11)])
    #expect(outcome?.rejection == .unknownColumn)
    #expect(try unused(hash) == 5)
  }

  @Test mutating func `A blob of two rows is unused without both of them`() throws {
    try insert("a")
    try insert("b", 3)
    _ = try server.push(4, [.delete(Lists.task("a"), at: 20)])
    #expect(try unused(hash) == nil)
    server.now += 100
    _ = try server.push(5, [.delete(Lists.task("b"), at: 20)])
    #expect(try unused(hash) == server.now)
  }

  @Test mutating func `A blob is unused in one scope and used in another`() throws {
    try insert()
    try insert("a", 2, in: "2")
    _ = try server.push(3, [.delete(Lists.task("a"), at: 20)])
    #expect(try unused(hash) == server.now)
    #expect(try unused(hash, in: "2") == nil)
  }

  @Test(arguments: [false, true])
  mutating func `A blob that one row hands to another stays used`(isReversed: Bool) throws {
    try insert("a")
    let ops = [
      Op.edit("a", ["photo": .null], at: 20), .task("b", at: 20, ["photo": .file(hash)]),
    ]
    _ = try server.push(3, isReversed ? ops.reversed() : ops)
    #expect(try server.state(Lists.task("a"))?.fields["photo"] == .null)
    #expect(try unused(hash) == nil)
  }

  @Test mutating func `An edit that loses against a later one uses no blob`() throws {
    try insert()
    let conflicts = try server.scope().conflicts
    _ = try server.push(1, [.edit("a", ["photo": .file(other)], at: 9, by: 2)], device: 2)
    #expect(try server.scope().conflicts == conflicts + 1)
    #expect(try unused(hash) == nil && unused(other) == 5)
  }

  @Test mutating func `An edit that changes a row twice in a batch uses the last blob`() throws {
    try insert()
    _ = try server.push(
      3,
      [
        .edit("a", ["photo": .file(other)], at: 20),
        .edit("a", ["photo": "none"], base: ["photo": .at(20)], at: 21),
      ])
    #expect(try unused(hash) == server.now)
    #expect(try unused(other) == 5)
  }

  @Test mutating func `A row may refer to a blob that has not arrived`() throws {
    let missing = ContentHash(of: [3])
    _ = try server.push(2, [.task("a", at: 10, ["photo": .file(missing)])])
    #expect(try server.log.isUsed(missing, in: Lists.scope()))
    _ = try server.push(3, [.edit("a", ["photo": .null], at: 20)])
    #expect(try !server.log.isUsed(missing, in: Lists.scope()))
    #expect(server.log.blobs(missing) == [])
  }
}
