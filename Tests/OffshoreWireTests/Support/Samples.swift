@testable import OffshoreWire

extension DeviceID {
  /// The device of a number, in the order of the numbers.
  static func sample(_ number: UInt64) -> DeviceID { DeviceID(high: 0, low: number) }
}

extension Stamp {
  /// The stamp of a device, 1 where none is given, at a time.
  static func at(_ milliseconds: Int64, _ counter: UInt16 = 0, by device: UInt64 = 1) -> Stamp {
    Stamp(milliseconds: milliseconds, counter: counter, device: .sample(device))
  }
}

extension SeededRandom {
  /// Any of a number of things.
  mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  /// Bytes that need not be UTF-8.
  mutating func bytes(upTo count: Int) -> [UInt8] {
    (0..<number(below: count + 1)).map { _ in UInt8.random(in: .min ... .max, using: &self) }
  }

  /// A real of any bits: numbers, infinities, NaNs and both zeros.
  mutating func real() -> Double { Double(bitPattern: next()) }

  /// A value of any kind.
  mutating func value() -> WireValue {
    switch number(below: 6) {
    case 0: .null
    case 1: .integer(Int64(bitPattern: next() >> UInt64(number(below: 64))))
    case 2: .real(real())
    case 3: .text(bytes(upTo: 12))
    case 4: .text(Array("Schäkel №\(number(below: 100))".utf8))
    default: .blob(bytes(upTo: 40))
    }
  }

  /// A stamp of one of five devices.
  mutating func stamp() -> Stamp {
    Stamp(
      milliseconds: Int64(number(below: 1 << 44)), counter: UInt16(number(below: 3)),
      device: .sample(UInt64(number(below: 5))))
  }
}
