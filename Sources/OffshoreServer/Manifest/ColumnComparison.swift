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
      name(former, next), retirement(former, next), type(former, next), null(former, next),
      sealing(former, next), policy(former, next), reference(former, next), file(former, next),
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
    guard column.isNullable || column.hasDefault || column.derivedFrom != nil else {
      return refused(
        """
        Rows of former releases have no value in it, and devices of this release could not show them. \
        Give it a default, let it be NULL, or derive it from another column.
        """)
    }
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
    guard former.isRetired != next.isRetired else {
      guard former.hasDefault, !next.hasDefault, !next.isNullable, !next.isRetired else {
        return nil
      }
      return noticed(
        """
        Its default was removed. Rows without a value in it, of releases before the column, are hidden \
        on devices of this release. Keep the default, unless the first release had the column.
        """)
    }
    guard next.isRetired else {
      return safe("It is not retired any more. Devices show the values that they have stored.")
    }
    guard next.isNullable || next.hasDefault || former.hasDefault else {
      return refused(
        """
        Rows of this release have no value in it, and devices of former releases could not show them. \
        Declare the value that insertions have in it: “.retired(…, initially:)”.
        """)
    }
    return noticed(
      """
      Retired. Devices of former releases go on with it. In rows of this release it has its initial \
      value, its default, or NULL.
      """)
  }

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
    return safe(
      next.isFile
        ? "It became a file column. \(Self.fileUse)"
        : """
        It is not a file column any more. The server deletes blobs to which only this column refers, \
        7 days later. If none of the tables of these scopes has a file column now, all blobs stay.
        """)
  }

  /// The effect of a file column.
  static let fileUse = """
    The server deletes a blob of these scopes if no row has referred to it in a file column for 7 days.
    """

  private static let anotherColumn =
    "Declare another column, and retire this one; “.derived(…, from:)” gives it the former values."
}

extension MergePolicy {
  /// Whether each change writes a whole value, which the policy does not limit.
  fileprivate var mergesWholeValues: Bool {
    if case .ordered = self { false } else { mergesWholes }
  }
}
