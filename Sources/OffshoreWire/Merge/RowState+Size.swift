extension RowState {
  /// An upper bound for the bytes of the row's fields in a message.
  ///
  /// It counts the name, the value and a version of each field, although many have no version of
  /// their own. The other bytes of a row do not count.
  public var byteCount: Int {
    fields.reduce(0) { $0 + Self.byteCount(of: $1.key, $1.value) }
  }

  /// Returns an upper bound for the bytes of a field.
  static func byteCount(of field: String, _ value: WireValue) -> Int {
    field.utf8.count + value.byteCount + fieldBytes
  }

  /// The maximum number of bytes of a field beside its name and value: a stamp with its device,
  /// flags, and lengths.
  private static let fieldBytes = 44
}
