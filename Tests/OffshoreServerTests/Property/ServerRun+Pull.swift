import OffshoreWire

@testable import OffshoreServer

/// The pulls of the devices, with a check of their rows after each.
extension ServerRun {
  mutating func pull(_ device: Int, limit: Int) async throws {
    let request = PullRequest(
      device: .sample(UInt8(device + 1)), manifestVersion: 1, grantsAfter: 0,
      cursors: devices[device].map(\.request), limit: limit)
    // Half of the time few rows fit on a page, and conflicts arrive one at a time.
    let rules = random.number(below: 2) == 0 ? PullRules() : PullRules(byteLimit: 200)
    let time = now
    var response = try rules.answer(request, of: .sample(1), at: time, from: forgetful(device))
    if breach == nil {
      let other = try await sqlite.read {
        try rules.answer(request, of: .sample(1), at: time, from: $0)
      }
      check(response == other, "Both logs answer a pull alike.")
      response = other
    }
    for (index, answer) in response.scopes.enumerated() {
      if case .resync = answer.content { seen.resyncs += 1 }
      if let page = answer.content.page, page.isFull, !page.conflicts.isEmpty {
        seen.conflictPages += 1
      }
      guard let digest = devices[device][index].take(answer) else { continue }
      check(devices[device][index].digest == digest, "A device has what the server had.")
      let place = devices[device][index]
      let known = memory.conflicts(in: place.scope, after: 0, limit: .max)
      check(place.conflicts == known, "A device knows what did not stay.")
      check(known.map(\.number) == Array(1..<Int64(known.count + 1)), "Conflicts are counted.")
    }
  }

  /// Returns the log in memory. If the run breaks `firstPageOnly`, the log reports nothing as
  /// collected from the scopes in which the device is amid pages.
  private func forgetful(_ device: Int) -> MemoryState {
    var log = memory
    guard breach == .firstPageOnly else { return log }
    for place in devices[device] where place.isAmidPages {
      var scope = log.scope(place.scope)
      scope.minSeq = 0
      log.setScope(place.scope, scope)
    }
    return log
  }

  mutating func settle(_ device: Int) async throws {
    for _ in 0..<200 {
      try await pull(device, limit: 3)
      if converged(device) { return }
    }
    check(false, "A device ends with what the server has.")
  }

  private func converged(_ device: Int) -> Bool {
    devices[device].allSatisfy { place in
      let rows = memory.rows(in: place.scope, after: 0, limit: .max)
      let living = rows.filter(\.state.isLiving)
      return !place.isAmidPages && Set(place.living.values) == Set(living)
    }
  }
}
