import Foundation
import Offshore
import TestSupport
import Testing

/// Random conditions, which must select the rows that the same condition in Swift selects.
struct RandomConditionsTests {
  private static let names = ["Alma", "Bora", "Cosma"]
  private static let locations = [nil, "Bora", "Split", "Zadar"]

  private let fixture: QueryFixture
  private let charters: [Charter]

  init() throws {
    charters = Self.names.flatMap { name in
      Self.locations.flatMap { location in
        (1...3).map { Charter(name, location: location, guests: 2 * $0) }
      }
    }
    fixture = try QueryFixture(charters)
  }

  @Test(arguments: UInt64(1)...8)
  func `A condition selects the same rows in SQL and in Swift`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var counts: Set<Int> = []
    for _ in 0..<60 {
      let condition = Condition.random(depth: 3, &random)
      try verify(condition)
      try verify(.not(condition))
      counts.insert(charters.count(where: condition.isTrue))
    }
    // Most conditions select some of the rows, or the comparison would show little.
    #expect(counts.count > 5)
  }

  @Test(arguments: UInt64(1)...4)
  func `Conditions in separate calls are combined as by AND`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<40 {
      let (first, second) = (
        Condition.random(depth: 2, &random), Condition.random(depth: 2, &random)
      )
      let query = Charter.where(first.expression).where(second.expression)
      let found = try fixture.connection.read { try query.all($0) }
      let expected = charters.filter { first.isTrue($0) && second.isTrue($0) }
      #expect(Set(found.map(\.id)) == Set(expected.map(\.id)))
    }
  }

  private func verify(_ condition: Condition) throws {
    let query = Charter.where(condition.expression)
    let (found, count) = try fixture.connection.read { (try query.all($0), try query.count($0)) }
    let expected = charters.filter(condition.isTrue)
    #expect(Set(found.map(\.id)) == Set(expected.map(\.id)), "\(query.sql.text)")
    #expect(count == expected.count)
  }
}

/// A condition on a charter, in SQL and in Swift.
private indirect enum Condition {
  case guests(Sign, Int)
  case location(Sign, String?)
  case nameIsLocation(Sign)
  case not(Condition)
  case and(Condition, Condition)
  case or(Condition, Condition)

  enum Sign: CaseIterable { case equal, different, less, lessOrEqual, greater, greaterOrEqual }

  static func random(depth: Int, _ random: inout SeededRandom) -> Condition {
    let sign = Sign.allCases.randomElement(using: &random) ?? .equal
    switch Int.random(in: 0..<(depth == 0 ? 3 : 6), using: &random) {
    case 0: return .guests(sign, .random(in: 1...7, using: &random))
    case 1:
      return .location(sign, [nil, "Bora", "M", "Split"].randomElement(using: &random) ?? nil)
    case 2: return .nameIsLocation([.equal, .different].randomElement(using: &random) ?? .equal)
    case 3: return .not(.random(depth: depth - 1, &random))
    case 4: return .and(.random(depth: depth - 1, &random), .random(depth: depth - 1, &random))
    default: return .or(.random(depth: depth - 1, &random), .random(depth: depth - 1, &random))
    }
  }

  func expression(_ charter: Columns<Charter>) -> SQLExpression<Bool> {
    switch self {
    case .guests(.equal, let value): charter.guests == value
    case .guests(.different, let value): charter.guests != value
    case .guests(.less, let value): charter.guests < value
    case .guests(.lessOrEqual, let value): charter.guests <= value
    case .guests(.greater, let value): charter.guests > value
    case .guests(.greaterOrEqual, let value): charter.guests >= value
    case .location(.equal, let value): charter.location == value
    case .location(.different, let value): charter.location != value
    case .location(.less, let value): charter.location < value
    case .location(.lessOrEqual, let value): charter.location <= value
    case .location(.greater, let value): charter.location > value
    case .location(.greaterOrEqual, let value): charter.location >= value
    case .nameIsLocation(.different): !(charter.location == charter.name)
    case .nameIsLocation: charter.location == charter.name
    case .not(let condition): !condition.expression(charter)
    case .and(let left, let right): left.expression(charter) && right.expression(charter)
    case .or(let left, let right): left.expression(charter) || right.expression(charter)
    }
  }

  func isTrue(_ charter: Charter) -> Bool {
    switch self {
    case .guests(let sign, let value): Self.compare(charter.guests, sign, value)
    case .location(let sign, let value): Self.compare(charter.location, sign, value)
    case .nameIsLocation(let sign): Self.compare(charter.location, sign, charter.name)
    case .not(let condition): !condition.isTrue(charter)
    case .and(let left, let right): left.isTrue(charter) && right.isTrue(charter)
    case .or(let left, let right): left.isTrue(charter) || right.isTrue(charter)
    }
  }

  /// Compares two values. `nil` equals itself only, and is neither smaller nor greater than a
  /// value.
  private static func compare<Value: Comparable>(
    _ left: Value?, _ sign: Sign, _ right: Value?
  ) -> Bool {
    switch sign {
    case .equal: return left == right
    case .different: return left != right
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard let left, let right else { return false }
      return switch sign {
      case .less: left < right
      case .lessOrEqual: left <= right
      case .greater: left > right
      default: left >= right
      }
    }
  }
}
