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

/// Sets an integer option of the library, for example `SQLITE_CONFIG_MEMSTATUS`, before its first
/// use.
static inline int offshore_sqlite3_config_flag(int option, int value) {
  return sqlite3_config(option, value);
}

/// Returns whether two ranges of bytes are equal, as fast in a debug build as in a release build.
static inline int offshore_has_equal_bytes(const void *left, const void *right, long count) {
  return count == 0 || memcmp(left, right, (size_t)count) == 0;
}

/// Returns the header of the wal-index, which all processes that use a file in WAL mode have mapped
/// (https://sqlite.org/walformat.html), or NULL. It stays mapped while the connection is open. The
/// connection must have read the file.
static inline const void *offshore_sqlite3_wal_index(sqlite3 *database) {
  sqlite3_file *file = 0;
  volatile void *index = 0;
  int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK || !file || !file->pMethods) return 0;
  if (file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return 0;
  code = file->pMethods->xShmMap(file, 0, 32768, 0, &index);
  return code == SQLITE_OK ? (const void *)index : 0;
}

/// Sets the text that a function of SQL returns. SQLite copies it.
static inline void offshore_sqlite3_result_text_copy(
  sqlite3_context *context, const char *bytes, int count) {
  sqlite3_result_text(context, count == 0 ? "" : bytes, count, SQLITE_TRANSIENT);
}
