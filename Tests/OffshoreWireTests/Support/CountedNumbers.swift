import OffshoreWire

/// A value with numbers that a reader counts on from.
protocol Counted {
  var numbers: [Int64] { get }
}

extension Op: Counted {
  var numbers: [Int64] { [generation] }
}

extension PushRequest: Counted {
  var numbers: [Int64] { batches.flatMap { [$0.number] + $0.ops.flatMap(\.numbers) } }
}

extension SyncedRow: Counted {
  var numbers: [Int64] { [seq, state.generation] }
}

extension BatchResult.Outcome: Counted {
  var numbers: [Int64] {
    switch self {
    // The number after the last has to be in range too.
    case .applied(let range): [range.first, range.count, range.last + 1]
    case .rejected(_, let current): current?.numbers ?? []
    case .forked: []
    case .gap(let expected): [expected - 1]
    }
  }
}

extension PushResponse: Counted {
  var numbers: [Int64] { results.flatMap { [$0.number] + $0.outcome.numbers } }
}

extension PullCursor.Position: Counted {
  var numbers: [Int64] {
    switch self {
    case .changes(let seq): [seq]
    case .snapshot(let head, _), .repair(_, let head, _): head.map { [$0] } ?? []
    }
  }
}

extension PullRequest: Counted {
  var numbers: [Int64] {
    [grantsAfter]
      + cursors.flatMap {
        $0.position.numbers + [$0.acknowledged, $0.conflictsAfter, $0.answeredBatch]
      }
  }
}

extension ScopePage: Counted {
  var numbers: [Int64] {
    [head, minSeq, lastBatch] + next.numbers + rows.rows.flatMap(\.numbers)
      + conflicts.map(\.number) + batches.map(\.number)
  }
}

extension ScopeAnswer.Content: Counted {
  var numbers: [Int64] {
    switch self {
    case .page(let page): page.numbers
    case .resync(let minSeq): [minSeq]
    case .notGranted: []
    }
  }
}

extension PullResponse: Counted {
  var numbers: [Int64] { grants.map(\.seq) + scopes.flatMap(\.content.numbers) }
}

extension WireProblem: Counted {
  var numbers: [Int64] { [] }
}
