import Foundation

extension CharterFormState {
  /// What belongs together: somebody who changes one part of it means the other part too.
  private enum Part: CaseIterable {
    case name, dates, region, vessel, destination, guests, crew, budget
  }

  /// What there is now with what a form has changed, or `nil` where both changed the same.
  ///
  /// Of the crew, those who were added are added and those who were taken away are taken away.
  ///
  /// - Parameters:
  ///   - original: what the form began with.
  ///   - now: what is stored now.
  func merged(since original: Self, into now: Self) -> Self? {
    var merged = now
    for part in Part.allCases where !isAlike(original, in: part) {
      guard part == .crew || now.isAlike(original, in: part) || now.isAlike(self, in: part) else {
        return nil
      }
      merged.take(part, from: self)
    }
    merged.crew = mergedCrew(since: original, into: now)
    return merged
  }

  /// The form as it is to be shown beside what is stored now: what it did not change is as there.
  func rebased(from original: Self, to now: Self) -> Self {
    var form = now
    for part in Part.allCases where !isAlike(original, in: part) { form.take(part, from: self) }
    form.crew = mergedCrew(since: original, into: now)
    return form
  }

  private func mergedCrew(since original: Self, into now: Self) -> [CrewMember] {
    let (before, after) = (original.namedCrew, namedCrew)
    if now.namedCrew == before { return after }
    let stayed = now.namedCrew.filter { !before.contains($0) || after.contains($0) }
    return stayed + after.filter { !before.contains($0) && !stayed.contains($0) }
  }

  private func isAlike(_ other: Self, in part: Part) -> Bool {
    switch part {
    case .name: name.trimmed == other.name.trimmed
    case .dates: startDate == other.startDate && endDate == other.endDate
    case .region: region.trimmed == other.region.trimmed
    case .vessel: vessel.trimmed == other.vessel.trimmed
    case .destination: destination.trimmed == other.destination.trimmed
    case .guests: guests == other.guests
    case .crew: namedCrew == other.namedCrew
    case .budget: budget == other.budget
    }
  }

  private mutating func take(_ part: Part, from other: Self) {
    switch part {
    case .name: name = other.name
    case .dates: (startDate, endDate) = (other.startDate, other.endDate)
    case .region: region = other.region
    case .vessel: vessel = other.vessel
    case .destination: destination = other.destination
    case .guests: guests = other.guests
    case .crew: crew = other.crew
    case .budget: budget = other.budget
    }
  }
}

extension CharterModel {
  /// Takes what a form has, which is valid; texts that are blank become none.
  mutating func take(_ form: CharterFormState) {
    name = form.name.trimmed
    if let date = form.startDate { startDate = date }
    if let date = form.endDate { endDate = date }
    region = form.region.trimmedOrNil
    boatName = form.vessel.trimmedOrNil
    location = form.destination.trimmedOrNil
    guests = form.guests
    crew = form.namedCrew
    budget = form.budget
  }
}
