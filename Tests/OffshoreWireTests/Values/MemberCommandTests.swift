import Foundation
import Testing

@testable import OffshoreWire

/// The rows of members, and the commands that change them.
struct MemberCommandTests {
  private let account = UUID()
  private let stamp = Stamp(milliseconds: 7, device: .server)

  private func batch(_ ops: [Op]) throws -> Batch {
    Batch(try ScopeID("list/1"), number: 1, id: UUID(), ops: ops)
  }

  // MARK: - Commands

  @Test(arguments: Role.allCases, [false, true])
  func `A command is read from the batch that it is written to`(
    _ role: Role, isAddition: Bool
  ) throws {
    let command = MemberCommand(role, of: account, isAddition: isAddition)
    let sent = try batch([command.op(at: stamp)])
    #expect(MemberCommand(try Batch(decoding: sent.encoded())) == command)
    #expect(sent.ops.first?.row == MemberRow.id(of: account))
  }

  @Test func `A batch with another op besides the command is no command`() throws {
    let op = MemberCommand(.viewer, of: account).op(at: stamp)
    #expect(try MemberCommand(batch([])) == nil)
    #expect(try MemberCommand(batch([op, op])) == nil)
  }

  @Test func `An op on another table, of another kind or with other fields is no command`() {
    let role: [String: WireValue] = ["role": .integer(1)]
    let member = MemberRow.id(of: account)
    let others = [
      Op(.patch, RowID(table: "members", id: account.uuidString), fields: role, stamp: stamp),
      Op(.delete, member, stamp: stamp),
      Op(.increment, member, fields: role, stamp: stamp),
      Op(.patch, member, stamp: stamp),
      Op(.patch, member, fields: ["role": .integer(9)], stamp: stamp),
      Op(.patch, member, fields: ["role": .integer(-1)], stamp: stamp),
      Op(.patch, member, fields: ["role": "owner"], stamp: stamp),
      Op(.patch, member, fields: ["role": .integer(1), "name": "ida"], stamp: stamp),
      Op(.patch, member, fields: ["name": .integer(1)], stamp: stamp),
    ]
    for op in others { #expect(MemberCommand(op) == nil, "\(op)") }
    #expect(MemberCommand(Op(.patch, member, fields: role, stamp: stamp)) != nil)
  }

  @Test func `An account has one spelling`() {
    let id = account.uuidString
    for spelling in [id.lowercased(), id + " ", "", "0X" + id.dropFirst(2)] {
      let row = RowID(table: MemberRow.table, id: spelling)
      let op = Op(.patch, row, fields: ["role": .integer(1)], stamp: stamp)
      #expect(MemberCommand(op) == nil, "\(spelling)")
    }
  }

  @Test func `An id is parsed in the spelling in which it is sent, and in no other`() {
    let id = "ABCDEF01-0000-4000-8000-00000000000A"
    #expect(UUID(sent: id)?.uuidString == id)
    for spelling in [
      id.lowercased(), "a" + id.dropFirst(), " \(id)", id + "\n", "{\(id)}", "", "ABCDEF01",
      id.replacingOccurrences(of: "-", with: ""),
    ] {
      #expect(UUID(sent: spelling) == nil, "\(spelling)")
    }
  }

  // MARK: - Rows

  @Test func `The row of a member is read from its fields`() {
    for since in [nil, Int64(5)] {
      let row = MemberRow(account: account, name: "ida", role: .editor, since: since)
      #expect(MemberRow(id: account.uuidString, fields: row.fields) == row)
    }
    let fields = MemberRow(account: account, name: "ida", role: .viewer, since: nil).fields
    #expect(MemberRow(id: "ida", fields: fields) == nil)
    let letters = UUID(uuidString: "ABCDEF00-0000-4000-8000-00000000000A")?.uuidString ?? ""
    #expect(MemberRow(id: letters, fields: fields) != nil)
    #expect(MemberRow(id: letters.lowercased(), fields: fields) == nil)
    for (field, value) in [
      ("name", WireValue.null), ("role", "viewer"), ("role", .integer(4)), ("role", .integer(0)),
    ] {
      #expect(
        MemberRow(id: account.uuidString, fields: fields.merging([field: value]) { $1 }) == nil)
    }
  }

  // MARK: - Kinds

  @Test func `Only shared kinds of the manifest admit accounts`() throws {
    let table = SyncedTable(
      "lists", scopeKind: "list", scopeColumn: "id", columns: [SyncedColumn("title", .text)])
    let plain = try Manifest(version: 1, tables: [table])
    let admitting = try Manifest(version: 1, tables: [table], admittingKinds: ["list"])
    #expect(plain.hash != admitting.hash)
    #expect(try Manifest(json: admitting.json()) == admitting)
    #expect(try !String(decoding: plain.json(), as: UTF8.self).contains("admittingKinds"))
    #expect(throws: WireError.self) {
      try Manifest(version: 1, tables: [table], admittingKinds: ["group"])
    }
    #expect(throws: WireError.self) {
      try Manifest(
        version: 1, tables: [table], personalKinds: ["list"], admittingKinds: ["list"])
    }
  }
}
