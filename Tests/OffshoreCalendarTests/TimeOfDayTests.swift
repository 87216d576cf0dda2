import OffshoreCalendar
import Testing

struct TimeOfDayTests {
  @Test func `Minutes since midnight are those of the hour and the minute`() {
    #expect(TimeOfDay(hour: 9, minute: 5).minutesSinceMidnight == 545)
    for minutes in 0..<1440 {
      let time = TimeOfDay(minutesSinceMidnight: minutes)
      #expect(time.minutesSinceMidnight == minutes)
      #expect(TimeOfDay(time.description) == time)
    }
  }

  @Test(arguments: [(1440, "00:00"), (-1, "23:59"), (1441, "00:01"), (-1441, "23:59")])
  func `Minutes beyond a day are counted from midnight again`(_ minutes: Int, _ text: String) {
    #expect(TimeOfDay(minutesSinceMidnight: minutes).description == text)
  }

  @Test func `Any number of minutes is a time`() {
    for minutes in [Int.min, .max] {
      let time = TimeOfDay(minutesSinceMidnight: minutes)
      #expect((0..<1440).contains(time.minutesSinceMidnight))
    }
  }

  @Test func `Parts beyond their ranges become the nearest within`() {
    #expect(TimeOfDay(hour: 24, minute: 60) == TimeOfDay(hour: 23, minute: 59))
    #expect(TimeOfDay(hour: .min, minute: -1) == TimeOfDay(hour: 0, minute: 0))
  }

  @Test func `Times are ordered by the clock`() {
    let times = ["00:00", "00:59", "01:00", "09:30", "23:59"].compactMap(TimeOfDay.init)
    #expect(times.count == 5)
    #expect(times.shuffled().sorted() == times)
  }

  @Test(arguments: ["", "24:00", "12:60", "9:00", "09:0", "09.00", "09:00:00", "-9:00", "+1:00"])
  func `A text that is not a time is nil`(_ text: String) {
    #expect(TimeOfDay(text) == nil)
  }

  @Test func `A time is coded by its parts`() throws {
    let time = TimeOfDay(hour: 9, minute: 0)
    #expect(try CodingProbe.json(time) == #"{"hour":9,"minute":0}"#)
    #expect(try CodingProbe.decoded(#"{"hour":9,"minute":0}"#) == time)
    for json in [#"{"hour":24,"minute":0}"#, #"{"hour":0,"minute":60}"#, #"{"hour":9}"#] {
      #expect(throws: DecodingError.self) { try CodingProbe.decoded(json) as TimeOfDay }
    }
  }
}
