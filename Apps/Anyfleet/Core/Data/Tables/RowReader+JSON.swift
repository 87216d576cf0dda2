import Offshore

extension RowReader {
  /// The value that a JSON text at an index stands for.
  ///
  /// - Parameter sample: what is returned where the row fails: a read has to return something, and a
  ///   row that has failed is thrown as an error and never handed out.
  mutating func json<Value: Codable & Equatable & Sendable>(
    _ index: Int32, sample: Value
  ) -> Value {
    let json = JSONCodec<Value>.read(&self, index)
    return failure == nil ? json.value : sample
  }

  /// The values that a JSON array at an index stands for, found without a decoder where the array is
  /// as this app writes it.
  mutating func json<Element: ScannedJSON>(_ index: Int32, sample: [Element]) -> [Element] {
    if let text = text(index), let values = try? [Element](json: text) { return values }
    let json = JSONCodec<[Element]>.read(&self, index)
    return failure == nil ? json.value : sample
  }
}
