import OffshoreCalendar
import OffshorePresentation
import Testing

@MainActor struct WeekdaySettingTests {
  private struct Failure: Error {}

  @Test func `The first day is that of the region until another is chosen`() async throws {
    var stored: [Weekday?] = []
    let setting = WeekdaySetting(nil, region: .sunday) { stored.append($0) }
    #expect(setting.day == .sunday)
    try await setting.choose(.monday)
    #expect(setting.day == .monday)
    try await setting.choose(nil)
    #expect(setting.day == .sunday)
    #expect(stored == [.monday, nil])
  }

  @Test func `A choice that is not stored has no effect`() async {
    let setting = WeekdaySetting(.saturday, region: .monday) { _ in throw Failure() }
    await #expect(throws: Failure.self) { try await setting.choose(.sunday) }
    #expect(setting.day == .saturday)
  }
}
