import Foundation
import OffshorePresentation

extension LibraryStore {
  /// The checklist that a charter runs, to follow on its own: its snapshot where it is assigned, else
  /// the library's. Where there is neither, that is an error.
  func liveChecklist(_ id: UUID, inCharter charterID: UUID) -> Live<Checklist> {
    Live { [repository] in
      PresentValues(repository.checklist(id, inCharter: charterID))
    }
  }
}

/// Values that may be missing, of which one that is missing is an error. What comes after it follows.
private struct PresentValues<Value: Sendable>: AsyncSequence {
  typealias Failure = any Error

  struct Iterator: AsyncIteratorProtocol {
    fileprivate var values: any AsyncIteratorProtocol<Value?, any Error>

    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
      guard let value = try await values.next(isolation: actor) else { return nil }
      guard let value else { throw RepositoryError.notFound }
      return value
    }

    mutating func next() async throws -> Value? { try await next(isolation: nil) }
  }

  private let values: any AsyncSequence<Value?, any Error> & Sendable

  init(_ values: any AsyncSequence<Value?, any Error> & Sendable) { self.values = values }

  func makeAsyncIterator() -> Iterator { Iterator(values: values.makeAsyncIterator()) }
}
