public import Observation
public import OffshoreCalendar

/// The first day of the week, which the user can choose, or else that of the region.
@MainActor @Observable
public final class WeekdaySetting {
  /// The chosen day, or `nil` for that of the region.
  public private(set) var chosen: Weekday?
  private let region: Weekday
  private let store: @MainActor (Weekday?) async throws -> Void

  /// Creates the setting with the stored choice.
  ///
  /// - Parameters:
  ///   - region: the first day of the week in the user's region.
  ///   - store: stores a choice.
  public init(
    _ chosen: Weekday?, region: Weekday, store: @escaping @MainActor (Weekday?) async throws -> Void
  ) {
    self.chosen = chosen
    self.region = region
    self.store = store
  }

  /// The first day of the week.
  public var day: Weekday { chosen ?? region }

  /// Changes the choice, and returns when it is stored.
  /// - Throws: the error of the storage. The former choice stays.
  public func choose(_ weekday: Weekday?) async throws {
    guard weekday != chosen else { return }
    try await store(weekday)
    chosen = weekday
  }
}
