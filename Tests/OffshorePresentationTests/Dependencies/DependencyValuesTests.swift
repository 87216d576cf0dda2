import Foundation
import OffshorePresentation
import Synchronization
import Testing

private enum GreetingKey: DependencyKey {
  static let liveValue = "live"
  static let previewValue = "preview"
}

private enum PortKey: DependencyKey {
  static let liveValue = 80
  static let testValue: Int? = 8080
}

private enum NicknameKey: DependencyKey {
  static let liveValue: String? = "Salty"
}

extension DependencyValues {
  fileprivate var nickname: String? {
    get { self[NicknameKey.self] }
    set { self[NicknameKey.self] = newValue }
  }

  fileprivate var greeting: String {
    get { self[GreetingKey.self] }
    set { self[GreetingKey.self] = newValue }
  }

  fileprivate var port: Int {
    get { self[PortKey.self] }
    set { self[PortKey.self] = newValue }
  }
}

/// Names that were reported.
private final class Reports: Sendable {
  private let list = Mutex<[String]>([])
  var names: [String] { list.withLock(\.self) }
  func add(_ name: String) { list.withLock { $0.append(name) } }
}

private final class Greeter {
  @Dependency(\.greeting) private var greeting
  @Dependency(\.port) private var port
  var line: String { "\(greeting) \(port)" }
}

private struct Refused: Error {}

struct DependencyValuesTests {
  private var greeting: String { DependencyValues.current.greeting }
  private var port: Int { DependencyValues.current.port }

  // MARK: - Unset values

  @Test func `An optional value has its default until it is set to nil`() {
    #expect(DependencyValues.current.nickname == "Salty")
    withDependencies {
      $0.nickname = nil
    } operation: {
      #expect(DependencyValues.current.nickname == nil)
    }
  }

  @Test func `An unset value has the default of the context`() {
    #expect(greeting == "live")
    #expect(port == 80)
    withDependencies {
      $0.context = .preview
    } operation: {
      #expect(greeting == "preview")
      #expect(port == 80)
    }
    withDependencies {
      $0.context = .test
    } operation: {
      #expect(port == 8080)
    }
  }

  @Test func `A test that reads an unset value gets its name reported, and the preview value`() {
    let reports = Reports()
    withDependencies {
      $0.context = .test
      $0.reportUnset = { reports.add($0) }
    } operation: {
      #expect(greeting == "preview")
      #expect(port == 8080)
      withDependencies {
        $0.greeting = "mine"
      } operation: {
        #expect(greeting == "mine")
      }
    }
    #expect(reports.names == ["greeting"])
  }

  @Test func `A closure that a client has not reports its name, and returns a value`() {
    let reports = Reports()
    withDependencies {
      $0.reportUnset = { reports.add($0) }
    } operation: {
      let numbers: [Int] = DependencyValues.unset("harbors.load", [7])
      #expect(numbers == [7])
    }
    #expect(reports.names == ["harbors.load"])
  }

  @Test func `A test gets the names of unset built-in dependencies reported`() {
    let reports = Reports()
    withDependencies {
      $0.context = .test
      $0.reportUnset = { reports.add($0) }
    } operation: {
      let values = DependencyValues.current
      _ = (values.clock, values.date(), values.uuid(), values.random)
      _ = (values.locale, values.calendar)
    }
    #expect(reports.names == ["clock", "date", "uuid", "random", "locale", "calendar"])
  }

  @Test func `Without a reporter, an unset value traps with its name and the remedy`() async throws
  {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      withDependencies {
        $0.context = .test
      } operation: {
        _ = DependencyValues.current.uuid()
      }
    }
    let message = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(message.contains("“uuid”"))
    #expect(message.contains("withDependencies { $0.uuid = … }"))
  }

  @Test func `Live, all built-in dependencies have values`() {
    let values = DependencyValues.current
    #expect(abs(values.date().timeIntervalSinceNow) < 60)
    #expect(values.uuid() != values.uuid())
    #expect(Language.shipped.map(\.locale).contains(values.locale))
    #expect(values.calendar == .autoupdatingCurrent)
    #expect(values.clock is ContinuousClock)
  }

  // MARK: - Set values

  @Test func `A set value holds inside its scope only, and scopes nest`() {
    let result = withDependencies {
      $0.greeting = "outer"
    } operation: {
      withDependencies {
        $0.port = 1
      } operation: {
        #expect(greeting + "\(port)" == "outer1")
      }
      return greeting + "\(port)"
    }
    #expect(result == "outer80")
    #expect(greeting == "live")
  }

  @Test func `A set value holds across suspensions and in child tasks`() async {
    let result = await withDependencies {
      $0.greeting = "mine"
    } operation: {
      await Task.yield()
      async let child = greeting
      let task = Task { greeting }
      let detached = Task.detached { DependencyValues.current.greeting }
      return [greeting, await child, await task.value, await detached.value]
    }
    #expect(result == ["mine", "mine", "mine", "live"])
  }

  @Test @MainActor func `An operation runs in its caller's isolation`() async {
    var steps: [String] = []
    await withDependencies {
      $0.greeting = "mine"
    } operation: {
      MainActor.assertIsolated()
      await Task.yield()
      steps.append(DependencyValues.current.greeting)
    }
    #expect(steps == ["mine"])
  }

  @Test func `An error is rethrown, and the set value ends`() async {
    #expect(throws: Refused.self) {
      try withDependencies {
        $0.greeting = "mine"
      } operation: {
        throw Refused()
      }
    }
    await #expect(throws: Refused.self) {
      try await withDependencies {
        $0.greeting = "mine"
      } operation: {
        await Task.yield()
        throw Refused()
      }
    }
    #expect(greeting == "live")
  }

  @Test func `Concurrent tasks do not see each other's values`() async {
    await withTaskGroup { group in
      for number in 0..<50 {
        group.addTask {
          await withDependencies {
            $0.port = number
          } operation: {
            await Task.yield()
            return DependencyValues.current.port == number
          }
        }
      }
      for await isOwn in group { #expect(isOwn) }
    }
  }

  // MARK: - Captured values

  @Test func `An object captures the values that were set when it was created`() {
    let greeter = withDependencies {
      $0.greeting = "made"
    } operation: {
      Greeter()
    }
    #expect(greeter.line == "made 80")
    #expect(Greeter().line == "live 80")
  }

  @Test func `A value that is set around a later use takes precedence`() {
    let greeter = withDependencies {
      $0.greeting = "made"
      $0.context = .test
    } operation: {
      Greeter()
    }
    #expect(greeter.line == "made 8080")
    withDependencies {
      $0.port = 1
    } operation: {
      #expect(greeter.line == "made 1")
    }
    withDependencies {
      $0.greeting = "later"
    } operation: {
      #expect(greeter.line == "later 8080")
    }
  }
}

struct RandomSourceTests {
  private func numbers(_ source: RandomSource) -> [UInt64] {
    var source = source
    return (0..<5).map { _ in source.next() }
  }

  @Test func `A seed gives the same numbers each time, those of SplitMix64`() {
    #expect(numbers(RandomSource(seed: 7)) == numbers(RandomSource(seed: 7)))
    #expect(numbers(RandomSource(seed: 7)) != numbers(RandomSource(seed: 8)))
    #expect(numbers(RandomSource(seed: 0)).first == 0xE220_A839_7B1D_CDAF)
  }

  @Test func `Copies share the sequence, so that no number is repeated`() {
    let source = RandomSource(seed: 7)
    let first = numbers(source)
    #expect(numbers(source) != first)
  }

  @Test func `Without a seed no number is repeated`() {
    #expect(numbers(RandomSource()) != numbers(RandomSource()))
  }
}
