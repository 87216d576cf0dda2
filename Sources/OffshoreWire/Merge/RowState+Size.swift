extension RowState {
  /// About the bytes of the row in a message, and never fewer: its values, the names of its fields, and
  /// a version for each, though many have none of their own.
  ///
  /// What a row without fields takes is not counted.
  public var byteCount: Int {
    fields.reduce(0) { $0 + Self.byteCount(of: $1.key, $1.value) }
  }

  /// About the bytes of a field, and never fewer.
  static func byteCount(of field: String, _ value: WireValue) -> Int {
    field.utf8.count + value.byteCount + fieldBytes
  }

  /// The bytes of a field beside its name and value: a stamp with its device, marks, and lengths.
  private static let fieldBytes = 44
}
