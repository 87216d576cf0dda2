import Offshore

extension RowReader {
  /// The value that a JSON text at an index stands for, or a placeholder where the row has failed.
  mutating func json<Value: Codable & Equatable & Sendable>(
    _ index: Int32, else placeholder: Value
  ) -> Value {
    let json = JSONCodec<Value>.read(&self, index)
    // What a failed read returns has no value, and a failed row is discarded.
    return failure == nil ? json.value : placeholder
  }

  /// The values that a JSON array at an index stands for, or a placeholder where the row has failed.
  mutating func json<Element: ScannedJSON>(
    _ index: Int32, else placeholder: [Element]
  ) -> [Element] {
    if let text = text(index), let values = try? [Element](json: text) { return values }
    let json = JSONCodec<[Element]>.read(&self, index)
    return failure == nil ? json.value : placeholder
  }
}
