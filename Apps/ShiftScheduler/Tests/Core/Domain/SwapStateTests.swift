import Foundation
import OffshoreCalendar
import OffshorePresentationTesting
import TestSupport
import Testing

@testable import ShiftScheduler

/// The state of a swap by its rows.
struct SwapStateTests {
  private static let (ann, ben, cleo) = (UUID(number: 1), UUID(number: 2), UUID(number: 3))
  private static let team = UUID(number: 9)

  private static func swap(
    asking asked: UUID? = nil, worker: UUID = ben, _ answers: [(UUID, SwapAnswer.Kind)] = [],
    _ decisions: [SwapDecision.Kind] = []
  ) -> Swap {
    let shift = PublishedShift(
      id: "s", teamID: team, shiftID: UUID(number: 8), publisherID: ann, date: .june,
      duration: .standard, symbol: "S", title: "Shift", color: .blue, place: "", workerID: worker,
      workerName: "")
    let offer = SwapOffer(
      id: UUID(number: 7), teamID: team, publishedID: "s", authorID: ben, askedID: asked,
      date: .distantPast)
    return Swap(
      offer: offer, shift: shift,
      answers: answers.enumerated().map { number, answer in
        SwapAnswer(
          id: "\(answer.0)", teamID: team, offerID: offer.id, authorID: answer.0, kind: answer.1,
          date: Date(timeIntervalSinceReferenceDate: Double(number)))
      },
      decisions: decisions.map {
        SwapDecision(id: $0.rawValue, teamID: team, offerID: offer.id, kind: $0, workerID: cleo)
      })
  }

  @Test(arguments: [
    (swap(), Swap.State.offered),
    (swap([(ann, .declined)]), .offered),
    (swap([(cleo, .accepted), (ann, .accepted)]), .accepted(by: [cleo, ann])),
    (swap(asking: cleo, [(ann, .accepted)]), .offered),
    (swap(asking: cleo, [(cleo, .accepted)]), .accepted(by: [cleo])),
    (swap(asking: cleo, [(cleo, .declined)]), .declined),
    (swap([(cleo, .accepted), (ben, .withdrawn)]), .withdrawn),
    (swap([(cleo, .withdrawn)]), .offered),
    (swap([(ben, .accepted)]), .offered),
    (swap(worker: ann), .withdrawn),
    (swap([(cleo, .accepted)], [.declined]), .declined),
    (swap(worker: cleo, [(ben, .withdrawn)], [.approved]), .approved(for: cleo)),
    (swap([], [.declined, .approved]), .approved(for: cleo)),
  ])
  func `The state follows from the rows`(_ swap: Swap, _ state: Swap.State) {
    #expect(swap.state == state)
    let final = [Swap.State.withdrawn, .declined, .approved(for: Self.cleo)]
    #expect(swap.isOpen == !final.contains(state))
  }

  @Test func `The state does not depend on the order of the rows`() {
    var random = SeededRandom(seed: 1)
    let people = [Self.ann, Self.ben, Self.cleo]
    for _ in 0..<1_000 {
      let answers = people.filter { _ in random.number(below: 2) > 0 }
        .map { ($0, random.pick(Array(SwapAnswer.Kind.allCases))) }
      let decisions = SwapDecision.Kind.allCases.filter { _ in random.number(below: 3) == 0 }
      let swap = Self.swap(asking: random.pick([nil, Self.cleo]), answers, decisions)
      let shuffled = Swap(
        offer: swap.offer, shift: swap.shift, answers: swap.answers.shuffled(using: &random),
        decisions: swap.decisions.shuffled(using: &random))
      #expect(shuffled.state == swap.state)
    }
  }
}
