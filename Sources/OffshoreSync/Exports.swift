// The types that declarations, rows and states of syncing have in common with the server, such as
// `ScopeID` and `Role`, need no import of their own.
@_exported public import OffshoreWire
