import Foundation
import Offshore
import Testing

/// Conditions as long as those of apps. If the operators' overloads made them slow to type-check,
/// the compiler would give up and this file would not build.
struct TypeCheckingTests {
  private let now = Date(timeIntervalSinceReferenceDate: 1000)

  @Test func `Seven terms of every kind combine in one expression`() {
    let query = Charter.where {
      $0.startDate > now && $0.name.contains("x") || $0.guests.in([2, 4])
        || $0.location == nil && !($0.guests + 2 * 3 > 8) && $0.name != "y"
        || $0.location.in(["Split", nil])
    }
    #expect(query.sql.arguments.count == 8)
  }

  @Test func `Seven comparisons of literals combine in one expression`() {
    let query = Charter.where {
      $0.guests == 1 || $0.guests == 2 || $0.guests > 3 && $0.guests <= 4 || $0.name == "a"
        || $0.name == "b" && $0.location == "c"
    }
    #expect(query.sql.arguments.count == 7)
  }

  @Test func `Seven comparisons of columns combine in one expression`() {
    let query = Charter.where {
      $0.guests == $0.guests || $0.name == $0.location && $0.location == $0.name
        || $0.guests + $0.guests * 2 < $0.guests - 1 || $0.startDate <= $0.startDate
        || $0.name.lowercased() != $0.name && $0.location ?? "x" == $0.name
    }
    #expect(query.sql.arguments.count == 3)
  }
}
