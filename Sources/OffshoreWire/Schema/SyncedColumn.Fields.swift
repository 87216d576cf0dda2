/// Conversion between a column's value and its fields: one, or several if the column is split.
extension SyncedColumn {
  /// The form of the column's text, or `nil` if the column is not split.
  var form: CompoundValue.Form? {
    switch policy {
    case .keyed: .object
    case .set: .set
    default: nil
    }
  }

  /// Returns the row that another row refers to by this column, or `nil` if it refers to none.
  public func target(in state: RowState) -> RowID? {
    guard let reference, let id = state.fields[name]?.string else { return nil }
    return RowID(table: reference, id: id)
  }

  /// Returns the fields of a value, by name.
  public func fields(of value: WireValue) -> [String: WireValue] {
    guard let form else { return [name: value] }
    let compound = CompoundValue(value, form)
    var fields = [name: compound.shell]
    for (key, part) in compound.parts { fields[FieldName(column: name, key: key).text] = part }
    return fields
  }

  /// Returns the fields that differ between two values. A removed field is NULL.
  public func changes(from old: WireValue, to new: WireValue) -> [String: WireValue] {
    let (old, new) = (fields(of: old), fields(of: new))
    var changes = new.filter { old[$0.key] != $0.value }
    for name in old.keys where new[name] == nil { changes[name] = .null }
    return changes
  }

  /// Returns the value composed of a row's fields, or `nil` if none of them is of this column.
  public func value(of fields: [String: WireValue]) -> WireValue? {
    guard let form else { return fields[name] }
    var parts: [String: WireValue] = [:]
    let prefix = "\(name)."
    for (field, value) in fields where field.hasPrefix(prefix) {
      parts[String(field.dropFirst(prefix.count))] = value
    }
    if parts.isEmpty { return fields[name] }
    return CompoundValue(form, shell: fields[name] ?? form.empty, parts: parts).value
  }
}
