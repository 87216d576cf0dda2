import OffshoreWire
import Testing

@testable import OffshoreServer

/// References between rows.
struct ReferenceTests {
  private var server: TestServer

  init() throws {
    server = try TestServer()
    _ = try server.push(1, [.list(at: 1), .task("a", at: 2)])
  }

  @Test mutating func `A child of a deleted parent depends on it`() throws {
    _ = try server.push(2, [.delete(Lists.task("a"), at: 3)])
    let child = Op.task("b", at: 4, by: 2, ["after": "a"])
    let outcome = try server.push(1, [child], device: 2)
    #expect(outcome?.rejection == .dependency)
    #expect(try server.state(Lists.task("b")) == nil)
  }

  @Test mutating func `A child of a refused parent depends on it`() throws {
    _ = try server.push(2, [.task("b", at: 3, ["title": 1])])
    let child = Op.task("c", at: 4, ["after": "b"])
    #expect(try server.push(3, [child])?.rejection == .dependency)
  }

  @Test mutating func `A child of a parent that is not in the scope is refused`() throws {
    let child = Op.task("b", at: 3, ["after": "nobody"])
    #expect(try server.push(2, [child])?.rejection == .missingReference)
  }

  @Test mutating func `A batch may insert a child before its parent`() throws {
    let ops: [Op] = [.task("b", at: 3, ["after": "c"]), .task("c", at: 4)]
    #expect(try server.push(2, ops)?.range?.count == 2)
  }

  @Test mutating func `A batch may not delete the parent of a row that it inserts`() throws {
    let ops: [Op] = [.task("b", at: 3, ["after": "a"]), .delete(Lists.task("a"), at: 4)]
    #expect(try server.push(2, ops)?.rejection == .dependency)
    #expect(try server.state(Lists.task("a"))?.isLiving == true)
  }

  @Test mutating func `A null reference is not a missing one`() throws {
    #expect(try server.push(2, [.task("b", at: 3, ["after": .null])])?.range?.count == 1)
  }
}
