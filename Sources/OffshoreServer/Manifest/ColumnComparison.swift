import OffshoreWire

/// The comparison of a column in the manifests of two releases.
struct ColumnComparison: PartComparison {
  let place: String
  let former: SyncedColumn?
  let next: SyncedColumn?

  var differences: [ManifestDifference] {
    guard let next else { return [missing] }
    guard let former else { return [added(next)] }
    return [
      name(former, next), retirement(former, next), fallback(former, next),
      derivation(former, next), type(former, next), null(former, next), sealing(former, next),
      policy(former, next), reference(former, next), file(former, next),
    ].compactMap(\.self)
  }

  private var missing: ManifestDifference {
    refused(
      """
      It is missing, and devices of former releases have values in it. If it was removed, declare it as \
      retired: “.retired(…)”. If it was renamed, declare its former name: “.formerly(…)”.
      """)
  }

  private func added(_ column: SyncedColumn) -> ManifestDifference {
    guard column.showsRowsWithoutValue else { return refused(Self.withoutValue) }
    return safe(
      "Added. Devices of former releases store its values, and show them after their update."
        + (column.isFile ? " \(Self.fileUse)" : ""))
  }

  // MARK: - Names

  private func name(_ former: SyncedColumn, _ next: SyncedColumn) -> ManifestDifference? {
    guard former.presentName != next.presentName else { return nil }
    return safe("Renamed to “\(next.presentName)”. In messages it is still “\(next.name)”.")
  }

  private func retirement(_ former: SyncedColumn, _ next: SyncedColumn) -> ManifestDifference? {
    guard former.isRetired != next.isRetired else { return nil }
    guard next.isRetired else {
      guard next.showsRowsWithoutValue || former.hasDefault else {
        return refused(Self.withoutValue)
      }
      return safe("It is not retired any more. Devices show the values that they have stored.")
    }
    guard next.isNullable || next.hasDefault || former.hasDefault else {
      return refused(
        """
        Rows of this release have no value in it, and devices of former releases could not show them. \
        \(Self.initialValue)
        """)
    }
    return noticed(
      """
      Retired. Devices of former releases go on with it. In rows of this release it has its initial \
      value, its default, or NULL.
      """)
  }

  // MARK: - Rows without a value

  /// Returns the difference of the defaults, or of the initial values of a retired column.
  private func fallback(_ former: SyncedColumn, _ next: SyncedColumn) -> ManifestDifference? {
    guard former.isRetired == next.isRetired, former.isNullable == next.isNullable,
      former.hasDefault != next.hasDefault
    else { return nil }
    if next.hasDefault { return safe("It has a default for rows without a value in it.") }
    if next.isNullable {
      return safe("It has no default any more. Rows without a value in it have NULL.")
    }
    guard !next.isRetired else {
      return refused(
        """
        Rows of this release have no value in it any more, and devices of former releases could not show \
        them. \(Self.initialValue)
        """)
    }
    return noticed(
      """
      Its default was removed. Rows without a value in it, of releases before the column, are hidden \
      on devices of this release. Keep the default, unless the first release had the column.
      """)
  }

  private func derivation(_ former: SyncedColumn, _ next: SyncedColumn) -> ManifestDifference? {
    guard former.derivedFrom != next.derivedFrom else { return nil }
    if let source = next.derivedFrom {
      return noticed(
        """
        It is derived from “\(source)”. Devices of this release show the value that was written later.
        """)
    }
    let hidden = next.showsRowsWithoutValue ? "" : ", and hide rows without a value in it"
    return noticed(
      """
      It is not derived from “\(former.derivedFrom ?? "")” any more. Devices of this release do not show \
      what former releases write there\(hidden). Keep the derivation while such devices sync.
      """)
  }

  private static let withoutValue = """
    Rows of former releases have no value in it, and devices of this release could not show them. Give \
    it a default, let it be NULL, or derive it from another column.
    """

  private static let initialValue =
    "Declare the value that insertions have in it: “.retired(…, initially:)”."

  // MARK: - Values

  private func type(_ former: SyncedColumn, _ next: SyncedColumn) -> ManifestDifference? {
    guard former.type != next.type else { return nil }
    guard next.type == .any else {
      return refused(
        """
        It stored \(former.type.rawValue), and devices of former releases cannot store \
        \(next.type.rawValue). \(Self.anotherColumn)
        """)
    }
    return noticed(
      """
      It stores values of any type. Devices of former releases keep those of another type than \
      \(former.type.rawValue), and show NULL, the default, or the value from before.
      """)
  }

  private func null(_ former: SyncedColumn, _ next: SyncedColumn) -> ManifestDifference? {
    guard former.isNullable != next.isNullable else { return nil }
    guard next.isNullable else {
      return refused(
        "It may be NULL in stored rows, which could not be shown any more. \(Self.anotherColumn)")
    }
    guard former.reference == nil else {
      return refused(
        """
        Devices of former releases delete a row together with the one that it refers to. \
        \(Self.anotherColumn)
        """)
    }
    return noticed(
      "It may be NULL. Devices of former releases keep that, and show the default, or the value from before."
    )
  }

  private func sealing(_ former: SyncedColumn, _ next: SyncedColumn) -> ManifestDifference? {
    guard former.isSealed != next.isSealed else { return nil }
    return refused(
      "Stored values are \(former.isSealed ? "" : "not ")sealed. \(Self.anotherColumn)")
  }

  private func policy(_ former: SyncedColumn, _ next: SyncedColumn) -> ManifestDifference? {
    guard former.policy != next.policy else { return nil }
    switch (former.policy, next.policy) {
    case (.ordered(let states), .ordered(let more)) where more.filter(states.contains) == states:
      return noticed(
        """
        It has more states. Devices of former releases keep them, and show NULL, the default, or the state \
        from before.
        """)
    case (.ordered, let policy) where policy.mergesWholeValues:
      return noticed(
        """
        It stores any text. Devices of former releases keep those that are no state, and show NULL, the \
        default, or the state from before.
        """)
    case (let policy, let other) where policy.mergesWholeValues && other.mergesWholeValues:
      return noticed(
        """
        Concurrent changes are merged by “\(other.name)”. Devices of former releases show the result \
        when the server has decided.
        """)
    default:
      return refused(
        """
        Changes of devices of former releases are for a column that is merged by \
        “\(former.policy.name)”, and would be refused. \(Self.anotherColumn)
        """)
    }
  }

  private func reference(_ former: SyncedColumn, _ next: SyncedColumn) -> ManifestDifference? {
    guard former.reference != next.reference else { return nil }
    return refused(
      """
      It referred to \(former.reference.map { "“\($0)”" } ?? "nothing"), now to \
      \(next.reference.map { "“\($0)”" } ?? "nothing"), and devices of one of the releases could not store \
      such rows. \(Self.anotherColumn)
      """)
  }

  private func file(_ former: SyncedColumn, _ next: SyncedColumn) -> ManifestDifference? {
    guard former.isFile != next.isFile else { return nil }
    guard !next.isFile else { return safe("It became a file column. \(Self.fileUse)") }
    let remedy =
      next.isRetired
      ? "Retire it as a file column: “.retired(…, isFile: true)”."
      : """
      Declare it as “.file(…)”; or declare another column, and retire this one as a file column: \
      “.retired(…, isFile: true)”.
      """
    return refused(
      """
      It was a file column. Devices of former releases show its files, and the server would delete \
      those to which only this column refers. \(remedy)
      """)
  }

  /// The effect of a file column.
  static let fileUse = """
    The server deletes a blob of these scopes if no row has referred to it in a file column for 7 days.
    """

  private static let anotherColumn =
    "Declare another column, and retire this one; “.derived(…, from:)” gives it the former values."
}

extension SyncedColumn {
  /// Whether devices can show a row that has no value in the column.
  fileprivate var showsRowsWithoutValue: Bool { isNullable || hasDefault || derivedFrom != nil }
}

extension MergePolicy {
  /// Whether each change writes a whole value, which the policy does not limit.
  fileprivate var mergesWholeValues: Bool {
    if case .ordered = self { false } else { mergesWholes }
  }
}
