import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// The permission to write, and the answers to accounts without it.
struct GrantTests {
  private var server: TestServer

  init() throws {
    server = try TestServer()
    _ = try server.push(1, [.list(at: 1), .task("a", at: 2)])
  }

  @Test mutating func `A viewer cannot write, and the refusal is stored`() throws {
    let batch = try TestServer.batch(1, [.task("b", at: 3, by: 2)])
    let results = try server.push([batch], device: 2, account: 2).results
    #expect(results.first?.outcome.rejection == .forbidden)
    #expect(server.log.device(.sample(2), in: try Lists.scope()).lastNumber == 1)
    // The batch arrives again, late.
    try server.log.grant(.editor, to: .sample(2), in: Lists.scope())
    let again = try server.push([batch], device: 2, account: 2).results.first
    #expect(again?.isRepeated == true && again?.outcome.rejection == .forbidden)
  }

  @Test mutating func `The refusals of a viewer are stored for a limited number of devices`() throws
  {
    for device in 10..<UInt8(10 + server.pushRules.maximumForbiddenDevices) {
      let outcome = try server.push(
        1, [.task("b", at: 3, by: device)], device: device, account: 2)
      #expect(outcome?.rejection == .forbidden)
      #expect(server.log.device(.sample(device), in: try Lists.scope()).account == .sample(2))
    }
    let before = server.log
    for number in [1, 2, 9] as [Int64] {
      let outcome = try server.push(
        number, [.task("b", at: 3, by: 99)], device: 99, account: 2)
      #expect(outcome?.rejection == .forbidden)
    }
    #expect(server.log == before)
    // The device may write now, and continues with the expected number from the gap.
    try server.log.grant(.editor, to: .sample(2), in: Lists.scope())
    let ops = [Op.task("c", at: 4, by: 99)]
    #expect(try server.push(3, ops, device: 99, account: 2) == .gap(expected: 1))
    #expect(try server.push(1, ops, device: 99, account: 2)?.range?.count == 1)
  }

  @Test mutating func `A refusal is stored for a device that wrote to the scope before`() throws {
    try server.log.grant(.revoked, to: .sample(1), in: Lists.scope())
    let batches = try [2, 3].map { try TestServer.batch($0, [.task("t\($0)", at: 3 + $0)]) }
    let results = try server.push(batches).results
    #expect(results.map(\.outcome.rejection) == [.forbidden, .forbidden])
    let again = try server.push(batches).results
    #expect(again.map(\.outcome) == results.map(\.outcome))
    #expect(again.map(\.isRepeated) == [true, true])
    try server.log.grant(.editor, to: .sample(1), in: Lists.scope())
    let onRefused = try server.push(4, [.edit("t2", ["title": "x"], at: 9)])
    #expect(onRefused?.rejection == .dependency)
    #expect(try server.push(5, [.task("d", at: 10)])?.range?.count == 1)
    #expect(server.log.device(.sample(1), in: try Lists.scope()).forbiddenOps == 0)
  }

  @Test mutating func `The refused ops of a device without write access are stored up to a limit`()
    throws
  {
    try server.log.grant(.viewer, to: .sample(1), in: Lists.scope())
    var number: Int64 = 1
    for count in [Int(server.pushRules.maximumForbiddenOps) - 1, 2] {
      number += 1
      let ops = (0..<count).map { Op.task("t\($0)", at: 3) }
      #expect(try server.push(number, ops)?.rejection == .forbidden)
    }
    let before = server.log
    for number in [number + 1, number + 2] {
      #expect(try server.push(number, [.task("u", at: 4)])?.rejection == .forbidden)
    }
    #expect(server.log == before)
    try server.log.grant(.editor, to: .sample(1), in: Lists.scope())
    let ops = [Op.task("v", at: 5)]
    #expect(try server.push(number + 3, ops) == .gap(expected: number + 1))
    #expect(try server.push(number + 1, ops)?.range?.count == 1)
  }

  @Test(arguments: [Role.viewer, .editor, .owner, .revoked, .left])
  mutating func `An account cannot push with another account's device id`(role: Role) throws {
    try server.log.grant(role, to: .sample(2), in: Lists.scope())
    let before = server.log
    for number in [1, 2, 7] as [Int64] {
      let outcome = try server.push(number, [.task("b", at: 3)], device: 1, account: 2)
      #expect(outcome == .forked)
    }
    // An applied batch has the same answer for any account, since it takes effect only once.
    let taken = try TestServer.batch(1, [.list(at: 1), .task("a", at: 2)])
    let again = try server.push([taken], device: 1, account: 2).results.first
    #expect(again?.isRepeated == true && again?.outcome.range?.count == 2)
    #expect(server.log == before)
    // The number of the device's own next batch has not changed.
    #expect(try server.push(2, [.task("b", at: 4)])?.range?.count == 1)
  }

  @Test mutating func `A device id belongs to its account even in scopes new to the device`() throws
  {
    try server.log.grant(.editor, to: .sample(2), in: Lists.scope("2"))
    #expect(
      try server.push(1, in: "2", [.task("b", at: 3)], device: 1, account: 2) == .forked)
    #expect(try server.push(1, in: "2", [.list("2", at: 3)])?.range?.count == 1)
  }

  @Test mutating func `A device without an account becomes the first writing account's`() throws {
    let scope = try Lists.scope()
    server.log.setDevice(.sample(1), in: scope, StoredDevice(lastNumber: 1))
    let before = server.log
    #expect(
      try server.push(2, [.task("b", at: 3)], device: 1, account: 2)?.rejection == .forbidden)
    #expect(server.log == before)
    #expect(try server.push(2, [.task("b", at: 4)])?.range?.count == 1)
    #expect(server.log.device(.sample(1), in: scope).account == .sample(1))
  }

  @Test mutating func `An editor can write`() throws {
    try server.log.grant(.editor, to: .sample(2), in: Lists.scope())
    let outcome = try server.push(1, [.task("b", at: 3, by: 2)], device: 2, account: 2)
    #expect(outcome?.range?.count == 1)
  }

  @Test mutating func `An account that never had a grant gets the same answer for every scope`()
    throws
  {
    let before = server.log
    let there = try server.push(1, in: "1", [.list("1", at: 3, by: 3)], device: 3, account: 3)
    let nowhere = try server.push(1, in: "9", [.list("9", at: 3, by: 3)], device: 3, account: 3)
    #expect(there?.rejection == .forbidden)
    #expect(there == nowhere)
    #expect(server.log == before)
  }

  @Test(arguments: [Role.revoked, .left])
  mutating func `An account whose grant has ended gets no rows in repeated answers`(role: Role)
    throws
  {
    let batch = try TestServer.batch(2, [.edit("a", ["title": 1], at: 3)])
    guard case .rejected(let rejection, _?) = try server.push([batch]).results.first?.outcome else {
      Issue.record("The rejection tells no row.")
      return
    }
    try server.log.grant(role, to: .sample(1), in: Lists.scope())
    let again = try server.push([batch]).results.first
    #expect(again?.outcome == .rejected(rejection, current: nil))
    #expect(again?.isRepeated == true)
  }

  @Test mutating func `An account whose grant has ended cannot write`() throws {
    try server.log.grant(.revoked, to: .sample(1), in: Lists.scope())
    #expect(try server.push(2, [.task("b", at: 3)])?.rejection == .forbidden)
    #expect(try server.push(1, in: "2", [.list("2", at: 3)])?.range?.count == 1)
  }
}
