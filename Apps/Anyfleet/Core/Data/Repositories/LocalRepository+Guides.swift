public import Foundation
public import Offshore

extension LocalRepository: GuideRepository {
  public func fetchGuide(_ id: UUID) async throws -> PracticeGuide? {
    try await read("fetchGuide") { try PracticeGuide.find(id).one($0) }
  }

  public func fetchUserGuides() async throws -> [PracticeGuide] {
    try await readList("fetchUserGuides") { try Self.guidesByTitle($0) }
  }

  public func saveGuide(_ guide: PracticeGuide) async throws {
    try await write("saveGuide") { try guide.owned($0).save($0) }
  }

  @discardableResult
  public func deleteGuide(_ id: UUID) async throws -> DeletedEntry? {
    try await write("deleteGuide") { try Self.deleteEntry(PracticeGuide.self, id, $0) }
  }

  public func guides() -> any AsyncSequence<ReadableRows<PracticeGuide>, any Error> & Sendable {
    values("observeGuides", unreadable: \.unreadable) { try Self.guidesByTitle($0) }
  }

  private static func guidesByTitle(_ reader: Reader) throws -> ReadableRows<PracticeGuide> {
    try PracticeGuide.order { [$0.id.ascending] }.readable(reader).sorted(by: \.title)
  }
}
