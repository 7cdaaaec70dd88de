/* Loaded into every process of a crawl (LD_PRELOAD): notes what is written to files below a folder, and
 * which of it was synced, in one log that all processes append to.
 *
 * POWER_CUT_ROOT: the folder, an absolute path. POWER_CUT_LOG: the log, which must be elsewhere.
 *
 * A record, little endian: u32 bytes that follow, u8 kind, u64 inode, u64 a, u64 b, u32 length of path,
 * u32 length of second path, u32 length of data; then these three.
 *
 * A change is noted after it was made and before its caller goes on, so whoever waits for it (SQLite's
 * locks do) comes later in the log. A sync is noted when it is over; `a` is how long the log was when it
 * began: what was noted after that may be lost all the same.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { CREATE = 1, WRITE, TRUNCATE, SYNC, RENAME, UNLINK, MKDIR, RMDIR, SYNC_FOLDER };

#define MAX_FILES 65536

static char root[PATH_MAX];
static size_t rootLength;
static int logFile = -1;
/* By descriptor: 0 when it is none of ours. */
static ino_t inodes[MAX_FILES];
static char *folders[MAX_FILES];

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define CALL(name, ...) \
  ({ static __typeof__(&name) real; if (!real) real = REAL(name); real(__VA_ARGS__); })

__attribute__((constructor)) static void begin(void) {
  const char *folder = getenv("POWER_CUT_ROOT"), *log = getenv("POWER_CUT_LOG");
  if (!folder || !log || strlen(folder) >= sizeof root) return;
  strcpy(root, folder);
  rootLength = strlen(root);
  int opened = CALL(open64, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (opened < 0) abort();
  logFile = fcntl(opened, F_DUPFD_CLOEXEC, 512);
  CALL(close, opened);
}

/* The path as the log has it, or NULL when it is not below the folder. */
static const char *ours(int at, const char *path, char *space) {
  if (logFile < 0 || !path) return NULL;
  if (path[0] != '/') {
    char link[64], base[PATH_MAX];
    ssize_t length = 0;
    if (at == AT_FDCWD) {
      if (!getcwd(base, sizeof base)) return NULL;
      length = (ssize_t)strlen(base);
    } else {
      snprintf(link, sizeof link, "/proc/self/fd/%d", at);
      length = readlink(link, base, sizeof base - 1);
      if (length < 0) return NULL;
      base[length] = 0;
    }
    if (snprintf(space, PATH_MAX, "%s/%s", base, path) >= PATH_MAX) return NULL;
    path = space;
  }
  if (strncmp(path, root, rootLength) != 0) return NULL;
  return path[rootLength] == '/' || path[rootLength] == 0 ? path : NULL;
}

static void note(uint8_t kind, uint64_t inode, uint64_t a, uint64_t b, const char *path,
                 const char *second, const void *data, uint32_t bytes) {
  uint32_t lengths[3] = { path ? strlen(path) : 0, second ? strlen(second) : 0, bytes };
  uint32_t all = 1 + 24 + 12 + lengths[0] + lengths[1] + lengths[2];
  uint64_t numbers[3] = { inode, a, b };
  struct iovec parts[7] = {
    { &all, 4 }, { &kind, 1 }, { numbers, 24 }, { lengths, 12 },
    { (void *)path, lengths[0] }, { (void *)second, lengths[1] }, { (void *)data, lengths[2] },
  };
  int before = errno;
  if (CALL(writev, logFile, parts, 7) != (ssize_t)(all + 4)) abort();
  errno = before;
}

static uint64_t logLength(void) {
  struct stat64 found;
  return CALL(fstat64, logFile, &found) == 0 ? (uint64_t)found.st_size : 0;
}

static int isOurs(int fd) { return fd >= 0 && fd < MAX_FILES && inodes[fd] != 0; }

static int opened(int fd, const char *path, int flags, int isNew) {
  if (fd < 0 || fd >= MAX_FILES) return fd;
  struct stat64 found;
  if (CALL(fstat64, fd, &found) != 0) return fd;
  inodes[fd] = found.st_ino;
  free(folders[fd]);
  folders[fd] = S_ISDIR(found.st_mode) ? strdup(path) : NULL;
  if (isNew) note(CREATE, found.st_ino, 0, 0, path, NULL, NULL, 0);
  else if (flags & O_TRUNC) note(TRUNCATE, found.st_ino, 0, 0, NULL, NULL, NULL, 0);
  return fd;
}

#define OPEN(name, at, call)                                              \
  mode_t mode = 0;                                                        \
  if (flags & (O_CREAT | O_TMPFILE)) {                                    \
    va_list more;                                                         \
    va_start(more, flags);                                                \
    mode = va_arg(more, mode_t);                                          \
    va_end(more);                                                         \
  }                                                                       \
  char space[PATH_MAX];                                                   \
  const char *known = ours(at, path, space);                              \
  if (!known) return call;                                                \
  int isNew = (flags & O_CREAT) && access(known, F_OK) != 0;              \
  return opened(call, known, flags, isNew);

int open(const char *path, int flags, ...) { OPEN(open, AT_FDCWD, CALL(open, path, flags, mode)) }
int open64(const char *path, int flags, ...) { OPEN(open64, AT_FDCWD, CALL(open64, path, flags, mode)) }
int openat(int at, const char *path, int flags, ...) { OPEN(openat, at, CALL(openat, at, path, flags, mode)) }
int openat64(int at, const char *path, int flags, ...) {
  OPEN(openat64, at, CALL(openat64, at, path, flags, mode))
}

int close(int fd) {
  if (fd >= 0 && fd == logFile) return 0;
  if (isOurs(fd)) {
    inodes[fd] = 0;
    free(folders[fd]);
    folders[fd] = NULL;
  }
  return CALL(close, fd);
}

static ssize_t wrote(int fd, const void *data, ssize_t bytes, off64_t at) {
  if (bytes > 0 && isOurs(fd)) note(WRITE, inodes[fd], (uint64_t)at, 0, NULL, NULL, data, (uint32_t)bytes);
  return bytes;
}

ssize_t pwrite(int fd, const void *data, size_t bytes, off_t at) {
  return wrote(fd, data, CALL(pwrite, fd, data, bytes, at), at);
}
ssize_t pwrite64(int fd, const void *data, size_t bytes, off64_t at) {
  return wrote(fd, data, CALL(pwrite64, fd, data, bytes, at), at);
}
/* Where the file's position is; -1 for a pipe or a socket that got the number of a file closed unseen. */
static off64_t positionIn(int fd) {
  off64_t at = CALL(lseek64, fd, 0, SEEK_CUR);
  if (at < 0) inodes[fd] = 0;
  return at;
}
ssize_t write(int fd, const void *data, size_t bytes) {
  ssize_t done = CALL(write, fd, data, bytes);
  int before = errno;
  off64_t at = done > 0 && isOurs(fd) ? positionIn(fd) : -1;
  errno = before;
  return at < 0 ? done : wrote(fd, data, done, at - done);
}

static ssize_t wroteParts(int fd, const struct iovec *parts, int count, ssize_t done, off64_t at) {
  ssize_t left = done;
  for (int nth = 0; nth < count && left > 0; nth++) {
    ssize_t some = left < (ssize_t)parts[nth].iov_len ? left : (ssize_t)parts[nth].iov_len;
    wrote(fd, parts[nth].iov_base, some, at);
    at += some;
    left -= some;
  }
  return done;
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
  ssize_t done = CALL(writev, fd, parts, count);
  int before = errno;
  off64_t at = done > 0 && isOurs(fd) ? positionIn(fd) : -1;
  errno = before;
  return at < 0 ? done : wroteParts(fd, parts, count, done, at - done);
}
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) {
  return wroteParts(fd, parts, count, CALL(pwritev, fd, parts, count, at), at);
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) {
  return wroteParts(fd, parts, count, CALL(pwritev64, fd, parts, count, at), at);
}

static int cut(int fd, int result, off64_t size) {
  if (result == 0 && isOurs(fd)) note(TRUNCATE, inodes[fd], (uint64_t)size, 0, NULL, NULL, NULL, 0);
  return result;
}
int ftruncate(int fd, off_t size) { return cut(fd, CALL(ftruncate, fd, size), size); }
int ftruncate64(int fd, off64_t size) { return cut(fd, CALL(ftruncate64, fd, size), size); }

static int synced(int fd, int result, uint64_t from) {
  if (result != 0 || !isOurs(fd)) return result;
  if (folders[fd]) note(SYNC_FOLDER, inodes[fd], from, 0, folders[fd], NULL, NULL, 0);
  else note(SYNC, inodes[fd], from, 0, NULL, NULL, NULL, 0);
  return result;
}
int fsync(int fd) {
  uint64_t from = isOurs(fd) ? logLength() : 0;
  return synced(fd, CALL(fsync, fd), from);
}
int fdatasync(int fd) {
  uint64_t from = isOurs(fd) ? logLength() : 0;
  return synced(fd, CALL(fdatasync, fd), from);
}

static int moved(int result, int fromAt, const char *from, int toAt, const char *to) {
  char space[2][PATH_MAX];
  const char *old = ours(fromAt, from, space[0]), *new = ours(toAt, to, space[1]);
  if (result == 0 && (old || new)) note(RENAME, 0, 0, 0, old, new, NULL, 0);
  return result;
}
int rename(const char *from, const char *to) {
  return moved(CALL(rename, from, to), AT_FDCWD, from, AT_FDCWD, to);
}
int renameat(int fromAt, const char *from, int toAt, const char *to) {
  return moved(CALL(renameat, fromAt, from, toAt, to), fromAt, from, toAt, to);
}

static int named(uint8_t kind, int result, int at, const char *path) {
  char space[PATH_MAX];
  const char *known = ours(at, path, space);
  if (result == 0 && known) note(kind, 0, 0, 0, known, NULL, NULL, 0);
  return result;
}
int unlink(const char *path) { return named(UNLINK, CALL(unlink, path), AT_FDCWD, path); }
int unlinkat(int at, const char *path, int flags) {
  return named(flags & AT_REMOVEDIR ? RMDIR : UNLINK, CALL(unlinkat, at, path, flags), at, path);
}
int mkdir(const char *path, mode_t mode) { return named(MKDIR, CALL(mkdir, path, mode), AT_FDCWD, path); }
int rmdir(const char *path) { return named(RMDIR, CALL(rmdir, path), AT_FDCWD, path); }
