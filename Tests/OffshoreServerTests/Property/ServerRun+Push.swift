import OffshoreWire

@testable import OffshoreServer

/// The pushes of the devices, with a check of the answers.
extension ServerRun {
  /// Sends some of a device's batches, including earlier ones, sometimes out of order.
  mutating func pushSome(_ device: Int, _ scope: Int) async throws {
    let all = batches[device][scope]
    var some = Array(all.suffix(1 + random.number(below: 4)))
    if random.number(below: 3) == 0 { some.shuffle(using: &random) }
    if random.number(below: 3) == 0, let again = all.randomElement(using: &random) {
      some.append(again)
    }
    try await push(device, some)
  }

  /// Sends all batches of a device, until no refused one has been sealed again.
  mutating func pushAll(_ device: Int, _ scope: Int) async throws {
    var count = -1
    while count < batches[device][scope].count {
      count = batches[device][scope].count
      try await push(device, batches[device][scope])
    }
  }

  /// Sends a batch with a number that is already in use, and later ones, as a copied device file
  /// would.
  mutating func pushFromCopy(_ device: Int, _ scope: Int) async throws {
    let last = memory.device(.sample(UInt8(device + 1)), in: scopes[scope]).lastNumber
    guard last > 0 else { return }
    let number = Int64.random(in: 1...last, using: &random)
    let op = Op.task("copied", at: now, by: UInt8(device + 1))
    let copied = (number...(last + 1)).map {
      Batch(scopes[scope], number: $0, id: .sample(1), ops: [op])
    }
    let before = memory
    let outcomes = try await answer(device, copied).map(\.outcome)
    check(outcomes.allSatisfy { $0 == .forked }, "After a fork all is forked.")
    check(memory == before, "A copy changes nothing.")
    seen.forks += outcomes.count
  }

  private mutating func push(_ device: Int, _ batches: [Batch]) async throws {
    let heads = scopes.map { memory.scope($0).head }
    let results = try await answer(device, batches)
    for (result, batch) in zip(results, batches) { note(result, of: batch, by: device) }
    checkGaps(results)
    checkRanges(of: results, before: heads)
    for (scope, head) in zip(scopes, heads) { checkNumbers(scope, after: head) }
    if breach == nil { for scope in scopes { checkReferences(scope) } }
    if breach == .sharedNumbers { shareNumbers(results) }
  }

  /// Applies the batches to both logs, and checks that the answers are equal.
  private mutating func answer(_ device: Int, _ batches: [Batch]) async throws -> [BatchResult] {
    let request = PushRequest(
      device: .sample(UInt8(device + 1)), epoch: 7, manifestVersion: 1, batches: batches)
    let (rules, time) = (pushRules, now)
    let push = try rules.verified(request)
    let first = try rules.apply(push, of: .sample(1), at: time, to: &memory)
    let second = try await sqlite.write { log in
      try rules.apply(push, of: .sample(1), at: time, to: &log)
    }
    check(first == second, "Both logs answer a push alike.")
    return first.results
  }

  // MARK: - Answers

  /// Checks that each batch has one final answer, which is repeated from then on.
  private mutating func note(_ result: BatchResult, of batch: Batch, by device: Int) {
    switch result.outcome {
    case .gap: return
    case .forked: check(false, "No batch is another of the same number.")
    case .applied, .rejected: break
    }
    let key = "\(result.scope) \(device) \(result.number)"
    check((answers[key] != nil) == result.isRepeated, "A batch takes effect once.")
    if let before = answers[key] {
      check(before.withoutRow == result.outcome.withoutRow, "A batch is answered as before.")
    } else {
      noteFirst(result.outcome, of: batch, by: device)
    }
    answers[key] = result.outcome
  }

  private mutating func noteFirst(
    _ outcome: BatchResult.Outcome, of batch: Batch, by device: Int
  ) {
    if let range = outcome.range, range.count > batch.ops.count { seen.cascades += 1 }
    if case .rejected(let rejection, _) = outcome {
      seen.rejected.insert(rejection.code)
      sealAgain(batch, without: rejection.row, device)
      return
    }
    for op in batch.ops {
      let refusals = memory.refusals(of: op.row, by: op.stamp.device, in: batch.scope)
      check(!refusals.contains { $0.stamp == op.stamp }, "What is taken is no refusal.")
    }
  }

  /// Seals the edits of a refused batch again that did not cause the refusal.
  private mutating func sealAgain(_ batch: Batch, without row: RowID?, _ device: Int) {
    let innocent = batch.ops.filter { $0.row != row }
    guard !innocent.isEmpty, innocent.count < batch.ops.count,
      let scope = scopes.firstIndex(of: batch.scope)
    else { return }
    seal(innocent, device, scope)
    seen.remade += 1
  }

  /// Checks that after a gap all results are the same gap, since the request has one scope only.
  private mutating func checkGaps(_ results: [BatchResult]) {
    var gap: BatchResult.Outcome?
    for result in results {
      if let gap {
        check(result.outcome == gap, "After a gap all wait.")
        seen.gaps += 1
      } else if case .gap = result.outcome {
        gap = result.outcome
      }
    }
  }
}

extension BatchResult.Outcome {
  /// The outcome without the row that caused a refusal, since that row may have changed since.
  fileprivate var withoutRow: BatchResult.Outcome {
    guard case .rejected(let rejection, _) = self else { return self }
    return .rejected(rejection, current: nil)
  }
}
