import OffshoreServer
import OffshoreWire
import Testing

@testable import OffshoreSimulator

/// Tests of the check of a server's answers about notices, which owners write.
struct WriterChecksTests {
  private let account = AccountID(Samples.device(1).uuid)
  private let notice = RowID(table: Notice.name, id: "w1")
  private let board = RowID(table: "boards", id: "b1")

  private var change: Op { Op(.patch, notice, fields: ["body": "~1.1"], stamp: Samples.stamp(1)) }
  private var deletions: [Op] { [notice, board].map { Op(.delete, $0, stamp: Samples.stamp(2)) } }

  /// Returns whether the answer to a batch of an account with a role is a violation.
  private func isViolation(
    _ ops: [Op], _ outcome: BatchResult.Outcome, _ role: Role, isDemoted: Bool = false
  ) throws -> Bool {
    let batch = Batch(try Samples.scope(), number: 1, id: Samples.device(2).uuid, ops: ops)
    let result = BatchResult(
      scope: try Samples.scope(), number: 1, outcome: outcome, isRepeated: false)
    return WriterChecks(account: account, rows: [:], role: role)
      .violation(result, to: batch, isDemoted: isDemoted) != nil
  }

  private var applied: BatchResult.Outcome { .applied(SeqRange(first: 1, count: 1)) }
  private var refused: BatchResult.Outcome {
    .rejected(Rejection(.forbidden, "", row: notice), current: nil)
  }

  @Test func `An owner changes a notice, and an editor does not`() throws {
    #expect(try !isViolation([change], applied, .owner))
    #expect(try isViolation([change], refused, .owner))
    #expect(try isViolation([change], applied, .editor))
    #expect(try !isViolation([change], refused, .editor))
    // A command of the same push may have made the owner an editor.
    #expect(try !isViolation([change], refused, .owner, isDemoted: true))
  }

  @Test func `An editor deletes a notice together with its board only`() throws {
    #expect(try isViolation(Array(deletions.prefix(1)), applied, .editor))
    #expect(try !isViolation(deletions, applied, .editor))
  }

  @Test func `The deletion of a notice that does not exist has an effect by an owner only`() throws
  {
    let batch = Batch(try Samples.scope(), number: 1, id: Samples.device(2).uuid, ops: deletions)
    for (role, isEffective) in [(Role.owner, true), (.editor, false)] {
      let checks = WriterChecks(account: account, rows: [:], role: role)
      #expect(checks.isEffective(deletions[0], in: batch) == isEffective)
    }
  }
}
