import OffshoreWire

/// The merge, implemented a second time from the design, without the product's code.
struct ModelMerge {
  /// The reasons for which the merge refuses an edit.
  enum Refusal: Error, Equatable {
    /// The row is unknown.
    case gone
    /// The edit belongs to a later life of the row.
    case early
  }

  /// The version of the app whose manifest the server has.
  var version = 3

  /// The merge policies of columns other than last writer wins.
  private let policies: [String: MergePolicy] = [
    "boards.views": .counter, "boards.state": .ordered(Board.states),
    "cards.note": .serverOrder, "cards.most": .max, "cards.least": .min, "cards.votes": .counter,
    "cards.stage": .ordered(Card.stages), "cards.longest": .rule("longest"),
    "memos.count": .counter, "marks.state": .ordered(Mark.states),
  ]

  /// Applies an edit.
  /// - Returns: The fields that the row carries to its new scope, if the edit moves it.
  func apply(_ edit: ModelEdit, _ row: inout ModelRow?) throws(Refusal) -> [String: WireValue]? {
    guard var known = row else {
      guard edit.kind == .put else { throw .gone }
      row = ModelRow(insertedBy: edit)
      return nil
    }
    if edit.generation < known.generation || edit.generation == known.generation && !known.isLiving
    {
      noteLateDeletion(edit, &known)
      row = known
      return nil
    }
    if edit.generation > known.generation {
      guard edit.kind == .put, !known.isLiving, edit.generation == known.generation + 1 else {
        throw .early
      }
      row = ModelRow(insertedBy: edit)
      return nil
    }
    let carried = change(edit, &known)
    row = known
    return carried
  }

  /// Records the later time of two deletions of one life.
  private func noteLateDeletion(_ edit: ModelEdit, _ row: inout ModelRow) {
    guard edit.kind == .delete, row.end == .deleted, edit.generation + 1 == row.generation else {
      return
    }
    row.stamp = max(row.stamp, edit.stamp)
  }

  private func change(_ edit: ModelEdit, _ row: inout ModelRow) -> [String: WireValue]? {
    if edit.kind == .delete {
      row.finish(.deleted, at: edit.stamp)
      return nil
    }
    if edit.kind == .put { row.stamp = max(row.stamp, edit.stamp) }
    for (name, value) in edit.fields {
      let field = row.fields[name]
      row.fields[name] =
        field.map { merged($0, value, name, edit) }
        ?? ModelRow.Field(value: value, version: edit.version(of: name))
    }
    guard edit.kind.isMove else { return nil }
    let carried = row.fields.mapValues(\.value).filter { !$0.value.isNull || !$0.key.contains(".") }
    row.finish(.moved, at: edit.stamp)
    return carried
  }

  // MARK: - Fields

  private func merged(
    _ field: ModelRow.Field, _ value: WireValue, _ name: String, _ edit: ModelEdit
  ) -> ModelRow.Field {
    let version = edit.version(of: name)
    let later = max(field.version, version)
    let knew =
      edit.seen[name] == field.version || field.version.device == edit.stamp.device
      || edit.kind.isMove && name == "boardID"
    let replaced = ModelRow.Field(
      value: value,
      version: version > field.version ? version : field.version.following(by: version.device))
    switch policy(of: name, in: edit.row.table) {
    case .lastWriter, .set, .keyed: return knew || version > field.version ? replaced : field
    case .serverOrder: return replaced
    case .counter: return ModelRow.Field(value: sum(field.value, value), version: later)
    case .max: return ModelRow.Field(value: greatest([field.value, value]), version: later)
    case .min: return ModelRow.Field(value: least([field.value, value]), version: later)
    case .ordered(let states):
      return ModelRow.Field(value: furthest(field.value, value, states), version: later)
    case .rule:
      if knew { return replaced }
      let longest = longest(field.value, value)
      return longest == field.value ? field : replaced
    }
  }

  private func policy(of column: String, in table: String) -> MergePolicy {
    if table == Pin.name, column == "rank" { return version == 1 ? .lastWriter : .max }
    return policies["\(table).\(column)"] ?? .lastWriter
  }

  private func sum(_ values: WireValue...) -> WireValue {
    .integer(
      values.reduce(0) { sum, value in
        if case .integer(let number) = value { sum &+ number } else { sum }
      })
  }

  private func numbers(_ values: [WireValue]) -> [Int64] {
    values.compactMap { if case .integer(let number) = $0 { number } else { nil } }
  }

  private func greatest(_ values: [WireValue]) -> WireValue {
    numbers(values).max().map { .integer($0) } ?? .null
  }

  private func least(_ values: [WireValue]) -> WireValue {
    numbers(values).min().map { .integer($0) } ?? .null
  }

  private func furthest(_ left: WireValue, _ right: WireValue, _ states: [String]) -> WireValue {
    let place = { (value: WireValue) in states.firstIndex { WireValue($0) == value } ?? -1 }
    return place(left) < place(right) ? right : left
  }

  private func longest(_ left: WireValue, _ right: WireValue) -> WireValue {
    guard let leftText = left.string, let rightText = right.string else { return left }
    if leftText.utf8.count != rightText.utf8.count {
      return leftText.utf8.count > rightText.utf8.count ? left : right
    }
    return leftText < rightText ? right : left
  }
}
