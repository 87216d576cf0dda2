/// The keys of JSON columns that were removed. They stay in a row with their versions, so that an
/// earlier edit of a key does not bring it back.
extension RowState {
  /// The time of the oldest removal of a key that the row still has, in milliseconds since 1970;
  /// `nil` if it has none.
  package var oldestRemoval: Int64? {
    var oldest: Int64?
    for (field, value) in fields where value.isNull && FieldName.isKey(field) {
      let time = (versions[field] ?? stamp).milliseconds
      oldest = min(oldest ?? time, time)
    }
    return oldest
  }

  /// Returns the row without the keys that were removed at or before a time, in milliseconds since
  /// 1970; `nil` if it has no such keys.
  ///
  /// The digest of a row includes removed keys with a version of their own. So a server stores the
  /// result as a change of the row.
  package func withoutRemovedKeys(before time: Int64) -> RowState? {
    let removed = fields.keys.filter { field in
      FieldName.isKey(field) && fields[field]?.isNull == true
        && (versions[field] ?? stamp).milliseconds <= time
    }
    if removed.isEmpty { return nil }
    var state = self
    for field in removed { (state.fields[field], state.versions[field]) = (nil, nil) }
    return state
  }
}
