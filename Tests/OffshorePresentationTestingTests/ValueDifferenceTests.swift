import Foundation
import Testing

@testable import OffshorePresentationTesting

private struct Item: Identifiable, Equatable {
  let id: Int
  var name = ""
}

private enum Kind: Equatable {
  case plain
  case sized(Int)
  case named(first: String, last: String)
}

private struct Box: Equatable {
  var name = "box"
  var size: Int?
  var kind = Kind.plain
  var inner: [Item] = []
  var pairs: [String: Int] = [:]
  var tags: Set<String> = []
  var words: [String] = []
}

/// A value with a part that its equality ignores, and one that reflection does not show.
private struct Secret: Equatable, CustomReflectable {
  var value: Int
  var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}

private struct Safe: Equatable {
  var name = "a"
  var secret: Secret
}

private struct Day: Equatable, CustomStringConvertible {
  var number: Int
  var fraction = 0.0
  var description: String { "day \(number)" }
}

/// A value without equality.
private struct Loose {
  var name: String
  var count: Int
}

private final class Reference {
  let name: String
  init(_ name: String) { self.name = name }
}

struct ValueDifferenceTests {
  private func lines<Value>(_ expected: Value, _ found: Value) -> [String] {
    ValueDifference.lines(expected: expected, found: found)
  }

  /// Returns the differences of two boxes, of which one is changed.
  private func lines(of change: (inout Box) -> Void, from start: Box = Box()) -> [String] {
    var found = start
    change(&found)
    return lines(start, found)
  }

  @Test func `A value without parts is shown as a whole`() {
    #expect(lines(1, 2) == ["expected 1, found 2"])
    #expect(lines("a", "b") == [#"expected "a", found "b""#])
  }

  @Test func `Each property that differs has a line`() {
    let found = lines {
      $0.name = "crate"
      $0.size = 3
    }
    #expect(found == [#"name: expected "box", found "crate""#, "size: expected nil, found 3"])
  }

  @Test func `A property of an optional value is shown without the optional`() {
    #expect(
      lines(Optional(Item(id: 1, name: "a")), Item(id: 1, name: "b")) == [
        #"name: expected "a", found "b""#
      ])
  }

  // MARK: - Enumerations

  @Test func `Other cases are shown as a whole`() {
    #expect(lines { $0.kind = .sized(2) } == ["kind: expected .plain, found .sized(2)"])
  }

  @Test func `Values of one case are compared in their parts`() {
    #expect(lines(Kind.sized(1), .sized(2)) == [".sized: expected 1, found 2"])
    #expect(
      lines(Kind.named(first: "a", last: "b"), .named(first: "a", last: "c"))
        == [#".named.last: expected "b", found "c""#])
  }

  @Test func `Results are compared in their values`() {
    typealias Numbers = Result<[Int], CancellationError>
    #expect(lines(Numbers.success([1]), .success([2])) == [".success[0]: expected 1, found 2"])
  }

  // MARK: - Lists

  private let start = Box(inner: [Item(id: 1, name: "a"), Item(id: 2, name: "b")])

  @Test func `Elements without ids are compared by their positions`() {
    let start = Box(words: ["a", "b"])
    #expect(
      lines(of: { $0.words[1] = "c" }, from: start) == [
        #"words[1]: expected "b", found "c""#
      ])
    #expect(
      lines(of: { $0.words = ["a"] }, from: start) == [
        #"words[1]: expected "b", found nothing"#
      ])
    #expect(
      lines(of: { $0.words.append("c") }, from: start) == [
        #"words[2]: expected nothing, found "c""#
      ])
  }

  @Test func `A changed row is shown with its position and id`() {
    #expect(
      lines(of: { $0.inner[1].name = "c" }, from: start) == [
        #"inner[1, id 2].name: expected "b", found "c""#
      ])
  }

  @Test func `An added row is one line, though it moves the others`() {
    #expect(
      lines(of: { $0.inner.insert(Item(id: 3), at: 0) }, from: start) == [
        #"inner[0, id 3]: expected nothing, found Item(id: 3, name: "")"#
      ])
  }

  @Test func `A removed row is one line`() {
    #expect(
      lines(of: { $0.inner.removeFirst() }, from: start) == [
        #"inner[0, id 1]: expected Item(id: 1, name: "a"), found nothing"#
      ])
  }

  @Test func `Another order is one line`() {
    #expect(
      lines(of: { $0.inner.reverse() }, from: start) == [
        "inner: expected the order [1, 2], found [2, 1]"
      ])
  }

  @Test func `Rows that share an id are compared by their positions`() {
    let start = Box(inner: [Item(id: 1, name: "a"), Item(id: 1, name: "b")])
    #expect(
      lines(of: { $0.inner[1].name = "c" }, from: start) == [
        #"inner[1].name: expected "b", found "c""#
      ])
  }

  // MARK: - Sets and dictionaries

  @Test func `Elements of one set alone have a line each`() {
    #expect(
      lines(of: { $0.tags = ["b"] }, from: Box(tags: ["a"])) == [
        #"tags: expected "a", found nothing"#, #"tags: expected nothing, found "b""#,
      ])
  }

  @Test func `Entries are compared by their keys, in the order of these`() {
    let start = Box(pairs: ["a": 1, "b": 2, "c": 3])
    let found = lines(of: { $0.pairs = ["a": 1, "b": 5, "d": 4] }, from: start)
    #expect(
      found == [
        #"pairs["b"]: expected 2, found 5"#, #"pairs["c"]: expected 3, found nothing"#,
        #"pairs["d"]: expected nothing, found 4"#,
      ])
  }

  // MARK: - Special values

  @Test func `A difference that reflection does not show is shown as a whole`() {
    let (old, new) = (Safe(secret: Secret(value: 1)), Safe(name: "b", secret: Secret(value: 2)))
    #expect(
      lines(old, new) == [
        #"name: expected "a", found "b""#, "secret: expected Secret(), found Secret()",
      ])
  }

  @Test func `A value with a description is shown by it, if that differs`() {
    #expect(lines(Day(number: 1), Day(number: 2)) == ["expected day 1, found day 2"])
    #expect(
      lines(Day(number: 1), Day(number: 1, fraction: 0.5)) == [
        "fraction: expected 0.0, found 0.5"
      ])
  }

  @Test func `Dates and ids are shown by their descriptions`() {
    let (old, new) = (Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 60))
    #expect(
      lines(old, new) == [
        "expected 1970-01-01 00:00:00 +0000, found 1970-01-01 00:01:00 +0000"
      ])
    #expect(
      lines(UUID(number: 1), UUID(number: 2)) == [
        "expected \(UUID(number: 1)), found \(UUID(number: 2))"
      ])
  }

  @Test func `A value without equality is compared in its parts`() {
    #expect(
      lines(Loose(name: "a", count: 1), Loose(name: "a", count: 2)) == [
        "count: expected 1, found 2"
      ])
  }

  @Test func `Equal texts of references are shown, too, if nothing else differs`() {
    #expect(lines(Reference("a"), Reference("b")).count == 1)
  }

  @Test func `Values of different types are shown as a whole`() {
    #expect(ValueDifference.lines(expected: 1, found: "1") == [#"expected 1, found "1""#])
  }
}

struct ValueTextTests {
  private func text(_ value: Any) -> String { "\(ValueText(value))" }

  @Test func `A structure has its name and its properties`() {
    #expect(text(Item(id: 1, name: "a")) == #"Item(id: 1, name: "a")"#)
  }

  @Test func `A case has a period and its values`() {
    #expect(text(Kind.plain) == ".plain")
    #expect(text(Kind.sized(2)) == ".sized(2)")
    #expect(text(Kind.named(first: "a", last: "b")) == #".named(first: "a", last: "b")"#)
    #expect(text(Result<[Item], CancellationError>.success([])) == ".success([])")
  }

  @Test func `Tuples, lists, sets and dictionaries are shown as literals`() {
    #expect(text((1, "a")) == #"(1, "a")"#)
    #expect(text([Kind.plain, .sized(1)]) == "[.plain, .sized(1)]")
    #expect(text(Set([1])) == "[1]")
    #expect(text([String: Int]()) == "[:]")
    #expect(text(["b": 2, "a": 1]) == #"["a": 1, "b": 2]"#)
  }

  @Test func `An optional is shown by its value`() {
    #expect(text(Optional(Kind.sized(1)) as Any) == ".sized(1)")
    #expect(text(Int?.none as Any) == "nil")
  }

  @Test func `A value with a description is shown by it`() {
    #expect(text(Day(number: 3)) == "day 3")
    #expect(text(UUID(number: 3)) == "\(UUID(number: 3))")
  }

  @Test func `A long text is shortened`() {
    let text = text(String(repeating: "a", count: 1000))
    #expect(text.count == ValueText.maximumLength + 1)
    #expect(text.hasSuffix("a…"))
  }
}
