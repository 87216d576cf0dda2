#pragma once

#include <sqlite3.h>
#include <string.h>

// Swift imports neither variadic functions nor the function-pointer constants of SQLite's
// destructor arguments. These wrappers give both a form that it does import.

/// Binds text that SQLite copies before the call returns.
static inline int offshore_sqlite3_bind_text_copy(
  sqlite3_stmt *statement, int index, const char *bytes, int count) {
  return sqlite3_bind_text(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/// Binds a BLOB that SQLite copies before the call returns.
static inline int offshore_sqlite3_bind_blob_copy(
  sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return count == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                    : sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/// Sets a boolean option of a connection, for example `SQLITE_DBCONFIG_DEFENSIVE`.
static inline int offshore_sqlite3_db_config_flag(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

/// Sets an integer option of the library, for example `SQLITE_CONFIG_MEMSTATUS`, before its first use.
static inline int offshore_sqlite3_config_flag(int option, int value) {
  return sqlite3_config(option, value);
}

/// Whether two ranges of bytes are equal, as fast in a debug build as in a release build.
static inline int offshore_has_equal_bytes(const void *left, const void *right, long count) {
  return count == 0 || memcmp(left, right, (size_t)count) == 0;
}
