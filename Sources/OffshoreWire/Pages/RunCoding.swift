/// The encoding of bytes that often repeat: each run of equal bytes as the byte and its length.
extension WireWriter {
  mutating func runs(_ values: some Collection<UInt8>) {
    var index = values.startIndex
    while index < values.endIndex {
      let value = values[index]
      let end = values[index...].firstIndex { $0 != value } ?? values.endIndex
      byte(value)
      count(values.distance(from: index, to: end))
      index = end
    }
  }
}

extension WireReader {
  /// Parses runs until they have a number of bytes in total.
  /// - Parameters:
  ///   - count: the number of bytes.
  ///   - body: a closure that receives the byte and the length of each run.
  mutating func runs(
    _ count: Int, _ body: (UInt8, Int, inout WireReader) throws(WireError) -> Void
  ) throws(WireError) {
    var rest = count
    var last: UInt8?
    while rest > 0 {
      let value = try byte()
      let length = try number()
      guard value != last, 1...UInt64(rest) ~= length else {
        throw malformed("A run of equal values does not fit.")
      }
      try body(value, Int(length), &self)
      rest -= Int(length)
      last = value
    }
  }
}
