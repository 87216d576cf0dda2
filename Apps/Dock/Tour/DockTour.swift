import OffshoreHost

/// The guided tour of the dock's page. A step is completed when the phones report its result.
///
/// The steps can be completed in any order. The first reports only define the initial state,
/// because a restarted dock has conflicts and shared charters from an earlier run.
struct DockTour: Equatable {
  /// A step. The cases are in the order in which they are proposed.
  enum Step: Int, CaseIterable {
    /// An item that was newly ticked on one phone is ticked on the other.
    case tick
    /// All phones are in airplane mode.
    case airplane
    /// The same text of the same row is edited on all phones and pending.
    case sameNote
    /// All phones are online, and each has both versions of the text.
    case bothVersions
    /// A phone has joined a charter.
    case join
    /// A phone serves its pages again after its process was killed.
    case kill
  }

  /// The latest reports of a phone.
  struct Report: Equatable {
    var status = PhoneStatus()
    var facts: PhoneFacts?
    var returnCount = 0
  }

  private(set) var completedSteps: Set<Step> = []
  /// The items that one of the phones had ticked when all had reported their facts for the first
  /// time, and that have been ticked on one since.
  private var earlierTicks: Set<String>?
  /// The conflicts that one of the phones had when all had reported their facts for the first time.
  private var earlierConflicts: Set<String>?
  /// The scopes that each phone has shared so far.
  private var earlierScopes: [Set<String>]?

  /// The step to do next, or `nil` if all are done.
  var current: Step? { Step.allCases.first { !completedSteps.contains($0) } }

  /// Marks the steps that are done according to the phones' latest reports.
  mutating func update(with reports: [Report]) {
    guard !reports.isEmpty else { return }
    if reports.allSatisfy(\.status.isAirplane) { completedSteps.insert(.airplane) }
    if reports.contains(where: { $0.returnCount > 0 }) { completedSteps.insert(.kill) }
    let facts = reports.compactMap(\.facts)
    guard facts.count == reports.count else { return }
    update(with: facts, areOnline: reports.allSatisfy(\.status.isOnline))
  }

  private mutating func update(with facts: [PhoneFacts], areOnline: Bool) {
    updateTicks(facts.map(\.tickedItems), areOnline: areOnline)
    if !Self.intersection(of: facts.map(\.pendingTexts)).isEmpty {
      completedSteps.insert(.sameNote)
    }
    let former = earlierConflicts ?? facts.reduce(into: []) { $0.formUnion($1.textConflicts) }
    earlierConflicts = former
    if areOnline, !Self.intersection(of: facts.map(\.textConflicts)).subtracting(former).isEmpty {
      completedSteps.insert(.bothVersions)
    }
    let scopes = facts.map(\.joinedScopes)
    let before = earlierScopes ?? scopes
    if !zip(before, scopes).allSatisfy({ $1.isSubset(of: $0) }) { completedSteps.insert(.join) }
    earlierScopes = zip(before, scopes).map { $0.union($1) }
  }

  private mutating func updateTicks(_ ticks: [Set<String>], areOnline: Bool) {
    let all = ticks.reduce(into: Set()) { $0.formUnion($1) }
    // An item whose tick was taken back everywhere can be ticked anew.
    let former = earlierTicks?.intersection(all) ?? all
    earlierTicks = former
    if areOnline, !Self.intersection(of: ticks).subtracting(former).isEmpty {
      completedSteps.insert(.tick)
    }
  }

  private static func intersection(of sets: [Set<String>]) -> Set<String> {
    sets.dropFirst().reduce(sets.first ?? []) { $0.intersection($1) }
  }
}

/// The latest timed change from one phone to another.
struct Delivery: Equatable {
  let from: Int
  let to: Int
  let milliseconds: Int
}

/// A timer for changes from phone to phone. Changes that waited for an offline phone are not timed.
struct DeliveryTimer {
  /// The time since which all phones are online, in milliseconds since 1970; `nil` while one is
  /// offline.
  private var onlineSince: Int64?

  /// Records whether all phones are online.
  mutating func update(areOnline: Bool, at now: Int64) {
    onlineSince = areOnline ? onlineSince ?? now : nil
  }

  /// Returns the delivery of a change, or `nil` if it was written while a phone was offline.
  func delivery(_ arrival: Arrival, from: Int, to: Int) -> Delivery? {
    guard let onlineSince, arrival.written >= onlineSince else { return nil }
    return Delivery(from: from, to: to, milliseconds: arrival.milliseconds)
  }
}
