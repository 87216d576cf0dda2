import Observation
import OffshorePresentation
import Testing

@MainActor
private final class Shelf<Item>: Observable {
  @Observed var items: [Item] = []
  @Observed var label = "empty"
  @Observed var note: String?
}

/// What no `==` can compare.
private struct Opaque {}

@MainActor
struct ObservedTests {
  private let shelf = Shelf<Opaque>()

  /// What a property was when its change was told, or `nil` where none was.
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

  @Test func `A change is told before it is made`() {
    #expect(told(reading: { $0.label }, when: { shelf.label = "full" }) == "empty")
    #expect(shelf.label == "full")
  }

  @Test func `To be set to what it is already is no change`() {
    #expect(told(reading: { $0.label }, when: { shelf.label = "empty" }) == nil)
    #expect(told(reading: { $0.note }, when: { shelf.note = nil }) == nil)
  }

  @Test func `A generic property is compared if its type can be at run time`() {
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

  @Test func `What cannot be compared changes whenever it is set`() {
    #expect(told(reading: { $0.items }, when: { shelf.items = [] })?.count == 0)
  }

  @Test func `What is changed in place is told`() {
    #expect(told(reading: { $0.items }, when: { shelf.items.append(Opaque()) })?.count == 0)
    #expect(shelf.items.count == 1)
  }

  @Test func `A property that was not read is not followed`() {
    #expect(told(reading: { $0.label }, when: { shelf.note = "here" }) == nil)
  }

  @Test func `What was followed goes with its last user`() {
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
