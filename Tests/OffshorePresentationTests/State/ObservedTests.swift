import Observation
import OffshorePresentation
import Testing

@MainActor
private final class Shelf<Item>: Observable {
  @Observed var items: [Item] = []
  @Observed var label = "empty"
  @Observed var note: String?
}

/// A type without `==`.
private struct Opaque {}

@MainActor
struct ObservedTests {
  private let shelf = Shelf<Opaque>()

  /// Returns the property's value when its change was announced, or `nil` if it was not.
  private func told<Value>(
    reading property: @escaping @MainActor @Sendable (Shelf<Opaque>) -> Value,
    when change: () -> Void
  ) -> Value? {
    nonisolated(unsafe) var told: Value?
    withObservationTracking {
      _ = property(shelf)
    } onChange: { [shelf] in
      MainActor.assumeIsolated { told = property(shelf) }
    }
    change()
    return told
  }

  @Test func `A change is announced before it is made`() {
    #expect(told(reading: { $0.label }, when: { shelf.label = "full" }) == "empty")
    #expect(shelf.label == "full")
  }

  @Test func `Setting an equal value is not a change`() {
    #expect(told(reading: { $0.label }, when: { shelf.label = "empty" }) == nil)
    #expect(told(reading: { $0.note }, when: { shelf.note = nil }) == nil)
  }

  @Test func `A generic property is compared if its type is equatable at run time`() {
    func isTold(_ items: [Int]) -> Bool {
      let shelf = Shelf<Int>()
      shelf.items = [1]
      nonisolated(unsafe) var isTold = false
      withObservationTracking {
        _ = shelf.items
      } onChange: {
        isTold = true
      }
      shelf.items = items
      return isTold
    }
    #expect(!isTold([1]))
    #expect(isTold([2]))
  }

  @Test func `Setting a value that cannot be compared is always a change`() {
    #expect(told(reading: { $0.items }, when: { shelf.items = [] })?.count == 0)
  }

  @Test func `A mutation in place is announced`() {
    #expect(told(reading: { $0.items }, when: { shelf.items.append(Opaque()) })?.count == 0)
    #expect(shelf.items.count == 1)
  }

  @Test func `A property that was not read is not observed`() {
    #expect(told(reading: { $0.label }, when: { shelf.note = "here" }) == nil)
  }

  @Test func `An observed object is released with its last user`() {
    var other: Shelf<Int>? = Shelf()
    weak let left = other
    withObservationTracking {
      _ = other?.label
    } onChange: {
    }
    other = nil
    #expect(left == nil)
  }
}
