import Testing

@testable import OffshoreHost
@testable import offshore_apps

struct DockTourTests {
  private typealias Report = DockTour.Report

  /// Returns a phone's report with facts.
  private func report(
    isAirplane: Bool = false, ticked: Set<String> = [], pending: Set<String> = [],
    conflicts: Set<String> = [], joined: Set<String> = []
  ) -> DockTour.Report {
    var report = DockTour.Report(facts: PhoneFacts())
    report.status.isAirplane = isAirplane
    report.status.isOnline = !isAirplane
    report.facts?.tickedItems = ticked
    report.facts?.pendingTexts = pending
    report.facts?.textConflicts = conflicts
    report.facts?.joinedScopes = joined
    return report
  }

  /// Returns a tour after pairs of reports, one pair after the other.
  private func tour(_ reports: [Report]...) -> DockTour {
    reports.reduce(into: DockTour()) { $0.update(with: $1) }
  }

  @Test func `Nothing is done before the phones report something`() {
    var tour = DockTour()
    tour.update(with: [])
    #expect(tour.completedSteps.isEmpty && tour.current == .tick)
    tour.update(with: [report(), report()])
    #expect(tour.completedSteps.isEmpty)
  }

  @Test func `A tick is done once an item that was newly ticked on one phone is so on the other`() {
    let ticked = report(ticked: ["item"])
    #expect(tour([report(), report()], [ticked, report()]).completedSteps.isEmpty)
    let both = tour([report(), report()], [ticked, report()], [ticked, ticked])
    #expect(both.completedSteps == [.tick] && both.current == .airplane)
  }

  @Test func `A tick of before does not count, nor one that is taken back`() {
    let ticked = report(ticked: ["item"])
    #expect(tour([ticked, ticked], [ticked, ticked]).completedSteps.isEmpty)
    #expect(
      tour([ticked, ticked], [report(), ticked], [report(), report()]).completedSteps.isEmpty)
    #expect(
      tour([ticked, ticked], [report(), report()], [ticked, ticked]).completedSteps == [.tick],
      "it is ticked anew")
  }

  @Test func `A tick does not count while a phone has no network`() {
    let offline = report(isAirplane: true, ticked: ["item"])
    #expect(!tour([report(), report()], [offline, offline]).completedSteps.contains(.tick))
  }

  @Test func `Airplane mode is done once both phones are in it at the same time`() {
    let (on, off) = (report(isAirplane: true), report())
    #expect(tour([on, off], [off, on]).completedSteps.isEmpty)
    #expect(tour([on, off], [on, on], [off, off]).completedSteps == [.airplane])
  }

  @Test func `Notes count if they are about the same item and both are pending`() {
    let (one, other) = (
      report(isAirplane: true, pending: ["a", "b"]), report(isAirplane: true, pending: ["c"])
    )
    #expect(!tour([one, other]).completedSteps.contains(.sameNote))
    #expect(
      tour([one, report(isAirplane: true, pending: ["b"])]).completedSteps.contains(.sameNote))
  }

  @Test func `Both versions count once both phones are online and have a new conflict`() {
    let before = [report(conflicts: ["old"]), report(conflicts: ["old"])]
    #expect(tour(before, before).completedSteps.isEmpty)
    let (new, offline) = (
      report(conflicts: ["old", "new"]), report(isAirplane: true, conflicts: ["old", "new"])
    )
    #expect(tour(before, [new, before[1]]).completedSteps.isEmpty)
    #expect(!tour(before, [new, offline]).completedSteps.contains(.bothVersions))
    #expect(tour(before, [new, new]).completedSteps == [.bothVersions])
  }

  @Test func `A join counts if it is new, also after a phone was started again`() {
    let sample = report(joined: ["charter/sample"])
    #expect(tour([report(), sample], [report(), sample]).completedSteps.isEmpty)
    #expect(
      tour([report(), sample], [report(), report()], [report(), sample]).completedSteps.isEmpty)
    let joined = report(joined: ["charter/sample", "charter/new"])
    #expect(tour([report(), sample], [report(), joined]).completedSteps == [.join])
  }

  @Test func `A kill counts once the phone serves its pages again`() {
    var returned = report()
    returned.returnCount = 1
    #expect(tour([report(), report()], [returned, report()]).completedSteps == [.kill])
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
