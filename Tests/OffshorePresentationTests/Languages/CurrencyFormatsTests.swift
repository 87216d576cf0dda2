import Foundation
import Synchronization
import Testing

@testable import OffshorePresentation

struct CurrencyFormatsTests {
  @Test func `The format of a currency is created once`() {
    let made = Mutex<[String]>([])
    let formats = CurrencyFormats { code in
      made.withLock { $0.append(code) }
      return .currency(code: code).locale(Locale(identifier: "en_GB"))
    }
    let texts = ["EUR", "USD", "EUR", "EUR"].map { formats[$0].format(2) }
    #expect(texts == ["€2.00", "US$2.00", "€2.00", "€2.00"])
    #expect(made.withLock { $0 } == ["EUR", "USD"])
  }
}
