import OffshoreSimulator
import Testing

struct ScheduleTests {
  @Test func `One seed holds`() {
    #expect(Schedule.run(seed: 1).violation == nil)
  }
}
