import OffshoreHTTP

extension Operation {
  private static let row: [Parameter] = [
    .path("table", "The name of a synced table."), .path("id", "The row's id."),
    .query("scope", "The row's scope, as kind/value; not needed where the id names it."),
  ]
  private static let key = Parameter.header(
    "Idempotency-Key", "A new text for each change, with which it may be sent again.")
  private static let ifMatch = Parameter.header(
    "If-Match", "The ETag of the version that the change is for.")
  private static let tag = ["ETag": "The validator of the row."]
  private static let notFound = Answer.problem(
    404, "There is no such table or row, or it may not be read.")
  private static let gone = Answer.problem(410, "The row was deleted.")
  private static let forbidden = Answer.problem(403, "The account may not write here.")
  private static let precondition = Answer.problem(
    412, "The row is another by now.", headers: ["ETag": "The validator of the row."])
  private static let invalid = Answer.problem(
    422, "A value, a column, a reference or the key is not allowed.")
  private static let tooLarge = Answer.problem(
    413, "The body, a value or the row would be too large.")
  private static let dependency = Answer.problem(409, "What the row refers to was deleted.")
  private static let values = Schema.map(Schema.named("Value"), "The columns by name.")
  private static let increments = Schema.map(
    ["type": "integer"], "What is added to counters, by column.")

  /// The operations on single rows.
  static let rows = [
    Operation(
      method: .get, pattern: "v1/tables/:table/rows", summary: "Tells a page of rows.",
      parameters: [
        .path("table", "The name of a synced table."),
        .query("scope", "A scope, as kind/value; all that may be read unless one is named."),
        .query("after", "What the page before has as next."),
        .query(
          "limit", "How many rows there are at the most.",
          [
            "type": "integer", "minimum": 1, "maximum": 1_000, "default": 100,
          ]),
      ],
      answers: [
        Answer(
          200, "Rows in the order of scopes and ids.",
          .json(
            Schema.object([
              "rows": Schema.list(Schema.named("Row")), "next": ["type": ["string", "null"]],
            ]))),
        .problem(404, "There is no such table or scope, or it may not be read."),
      ]),
    Operation(
      method: .get, pattern: "v1/tables/:table/rows/:id", summary: "Tells a row.",
      parameters: row + [.header("If-None-Match", "The ETag of the copy that the client has.")],
      answers: [
        Answer(200, "The row.", .json(Schema.named("Row")), headers: tag),
        Answer(304, "The client's copy is current.", headers: tag), notFound, gone,
      ]),
    Operation(
      method: .post, pattern: "v1/tables/:table/rows", summary: "Inserts a row.",
      parameters: [.path("table", "The name of a synced table."), key],
      body: .json(
        Schema.object(
          ["scope": Schema.text, "id": Schema.text, "values": values], optional: ["scope", "id"])),
      answers: [
        Answer(
          201, "The row.", .json(Schema.named("Row")),
          headers: tag.merging(["Location": "Its address."]) { $1 }),
        forbidden, .problem(404, "There is no such table."),
        .problem(
          409, "There is such a row, or what it refers to was deleted.",
          headers: ["ETag": "The validator of the row that is there."]),
        .problem(410, "What was inserted by the key was deleted meanwhile."), invalid, tooLarge,
      ]),
    Operation(
      method: .patch, pattern: "v1/tables/:table/rows/:id", summary: "Changes columns of a row.",
      parameters: row + [ifMatch, key],
      body: .json(
        Schema.object(
          ["values": values, "increments": increments], optional: ["values", "increments"])),
      answers: [
        Answer(200, "The row as it is now.", .json(Schema.named("Row")), headers: tag),
        forbidden, notFound, dependency, gone, precondition, invalid, tooLarge,
      ]),
    Operation(
      method: .delete, pattern: "v1/tables/:table/rows/:id", summary: "Deletes a row.",
      parameters: row + [ifMatch, key],
      answers: [
        Answer(204, "It is deleted."), forbidden, notFound, gone, precondition, tooLarge,
        .problem(422, "Another request had the key."),
      ]),
  ]
}
