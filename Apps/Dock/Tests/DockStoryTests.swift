import Testing

@testable import OffshoreHost
@testable import offshore_apps

struct DockStoryTests {
  private typealias Report = DockStory.Report

  /// Returns a phone's report with facts.
  private func report(
    isAirplane: Bool = false, ticked: Set<String> = [], pending: Set<String> = [],
    conflicts: Set<String> = [], joined: Set<String> = []
  ) -> DockStory.Report {
    var report = DockStory.Report(facts: PhoneFacts())
    report.status.isAirplane = isAirplane
    report.status.isOnline = !isAirplane
    report.facts?.tickedItems = ticked
    report.facts?.pendingTexts = pending
    report.facts?.textConflicts = conflicts
    report.facts?.joinedScopes = joined
    return report
  }

  /// Returns a story after pairs of reports, one pair after the other.
  private func story(_ reports: [Report]...) -> DockStory {
    reports.reduce(into: DockStory()) { $0.follow($1) }
  }

  @Test func `Nothing is done before the phones report something`() {
    var story = DockStory()
    story.follow([])
    #expect(story.done.isEmpty && story.current == .tick)
    story.follow([report(), report()])
    #expect(story.done.isEmpty)
  }

  @Test func `A tick is done once an item that was newly ticked on one phone is so on the other`() {
    let ticked = report(ticked: ["item"])
    #expect(story([report(), report()], [ticked, report()]).done.isEmpty)
    let both = story([report(), report()], [ticked, report()], [ticked, ticked])
    #expect(both.done == [.tick] && both.current == .airplane)
  }

  @Test func `A tick of before does not count, nor one that is taken back`() {
    let ticked = report(ticked: ["item"])
    #expect(story([ticked, ticked], [ticked, ticked]).done.isEmpty)
    #expect(story([ticked, ticked], [report(), ticked], [report(), report()]).done.isEmpty)
    #expect(
      story([ticked, ticked], [report(), report()], [ticked, ticked]).done == [.tick],
      "it is ticked anew")
  }

  @Test func `A tick does not count while a phone has no network`() {
    let offline = report(isAirplane: true, ticked: ["item"])
    #expect(!story([report(), report()], [offline, offline]).done.contains(.tick))
  }

  @Test func `Airplane mode is done once both phones are in it at the same time`() {
    let (on, off) = (report(isAirplane: true), report())
    #expect(story([on, off], [off, on]).done.isEmpty)
    #expect(story([on, off], [on, on], [off, off]).done == [.airplane])
  }

  @Test func `Notes count if they are about the same item and both are pending`() {
    let (one, other) = (
      report(isAirplane: true, pending: ["a", "b"]), report(isAirplane: true, pending: ["c"])
    )
    #expect(!story([one, other]).done.contains(.sameNote))
    #expect(
      story([one, report(isAirplane: true, pending: ["b"])]).done.contains(.sameNote))
  }

  @Test func `Both versions count once both phones are online and have a new conflict`() {
    let before = [report(conflicts: ["old"]), report(conflicts: ["old"])]
    #expect(story(before, before).done.isEmpty)
    let (new, offline) = (
      report(conflicts: ["old", "new"]), report(isAirplane: true, conflicts: ["old", "new"])
    )
    #expect(story(before, [new, before[1]]).done.isEmpty)
    #expect(!story(before, [new, offline]).done.contains(.bothVersions))
    #expect(story(before, [new, new]).done == [.bothVersions])
  }

  @Test func `A join counts if it is new, also after a phone was started again`() {
    let sample = report(joined: ["charter/sample"])
    #expect(story([report(), sample], [report(), sample]).done.isEmpty)
    #expect(story([report(), sample], [report(), report()], [report(), sample]).done.isEmpty)
    let joined = report(joined: ["charter/sample", "charter/new"])
    #expect(story([report(), sample], [report(), joined]).done == [.join])
  }

  @Test func `A kill counts once the phone serves its pages again`() {
    var returned = report()
    returned.returnCount = 1
    #expect(story([report(), report()], [returned, report()]).done == [.kill])
  }

  @Test func `Changes are timed only if both phones have been online since they were written`() {
    let timing = Arrival(written: 100, milliseconds: 23)
    var timer = DeliveryTimer()
    #expect(timer.delivery(timing, from: 1, to: 2) == nil)
    timer.update(areOnline: true, at: 50)
    timer.update(areOnline: true, at: 150)
    #expect(
      timer.delivery(timing, from: 1, to: 2) == Delivery(from: 1, to: 2, milliseconds: 23))
    timer.update(areOnline: false, at: 160)
    timer.update(areOnline: true, at: 170)
    #expect(timer.delivery(timing, from: 1, to: 2) == nil)
  }
}
