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
}
