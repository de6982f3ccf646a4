/*
 * Lets single calls of a process fail on the files of an index, as a disk or a system does that fails in passing. Preloaded
 * into the process; FAULTS_DIR is the index, FAULTS_CONTROL a file of int32 fields by which it is steered while it runs:
 *
 *   0 armed   1 files (bits: 1 log, 2 table, 4 MANIFEST, 8 high-water, 16 CURRENT)
 *   2 batches (bits, of the log: 1 documents, 2 list of segments, 4 a segment's rows, 8 cleared rows, 16 others; 0 = all)
 *   3 fault   1 write: half of it, then EIO      2 write: half of it, then ENOSPC
 *             3 sync: EIO, the data stay         4 sync: EIO, and what was not synced is gone
 *             5 open: EMFILE                     6 rename: EIO      7 read by the process itself: EIO
 *   4 so many matching calls pass before   5 so many fail   6 have failed (written here)
 *
 * LevelDB writes by stdio, Node by system calls. A batch is told by its first row: log.h and write_batch.cc of LevelDB 1.20.
 * gcc -shared -fPIC -O2 -o faults.so faults.c -ldl -lpthread
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ARMED, FILES, BATCHES, FAULT, PASS, LEFT, FAILED };
enum { LOG = 1, TABLE = 2, MANIFEST = 4, MARK = 8, CURRENT = 16 };
enum { WRITE_EIO = 1, WRITE_ENOSPC, SYNC_EIO, SYNC_LOST, OPEN_EMFILE, RENAME_EIO, READ_EIO };
#define SMALL 4096
#define FILES_MAX 4096
#undef fwrite_unlocked
#undef fflush_unlocked
#define REAL(name)                  \
  static __typeof__(name) *real;    \
  if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

struct file {
  int kind;
  /* of a log: the type of the record that comes next, and the table of the batch under way */
  int record, batch;
  ino_t inode;
  /* at the last sync, by whichever descriptor */
  off_t size;
  ssize_t held;
  unsigned char bytes[SMALL];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int32_t *control;
static const char *folder;
static struct file *files[FILES_MAX];

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("FAULTS_CONTROL");
  folder = getenv("FAULTS_DIR");
  int fd = path && folder ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (fd < 0) return;
  void *mapped = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (mapped != MAP_FAILED) control = mapped;
  close(fd);
}

static int kind_of(const char *path) {
  if (!control || !strstr(path, folder)) return 0;
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  size_t length = strlen(name);
  if (length > 4 && !strcmp(name + length - 4, ".log")) return LOG;
  if (length > 4 && !strcmp(name + length - 4, ".ldb")) return TABLE;
  if (!strncmp(name, "MANIFEST", 8)) return MANIFEST;
  if (!strncmp(name, "high-water", 10)) return MARK;
  if (!strcmp(name, "CURRENT") || (length > 6 && !strcmp(name + length - 6, ".dbtmp"))) return CURRENT;
  return 0;
}

/* Node closes by the system call, unseen here: the number may be another file's since, or none of a file, as libuv's own are. */
static int is_open(int fd, ino_t inode) {
  struct stat info;
  return fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_ino == inode;
}

static struct file *file_of(int fd) {
  struct file *file = fd >= 0 && fd < FILES_MAX ? files[fd] : 0;
  return file && is_open(fd, file->inode) ? file : 0;
}

static void forget(int fd) {
  if (fd < 0 || fd >= FILES_MAX) return;
  pthread_mutex_lock(&lock);
  free(files[fd]);
  files[fd] = 0;
  pthread_mutex_unlock(&lock);
}

/* What the file holds counts as synced. */
static void note_synced(struct file *file, int fd) {
  struct stat info;
  if (fstat(fd, &info) != 0) return;
  file->inode = info.st_ino;
  file->size = info.st_size;
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  int copy = info.st_size <= SMALL ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  file->held = copy < 0 ? -1 : pread(copy, file->bytes, SMALL, 0);
  if (copy >= 0) close(copy);
}

static void copy_synced(struct file *to, const struct file *from) {
  to->inode = from->inode;
  to->size = from->size;
  to->held = from->held;
  memcpy(to->bytes, from->bytes, SMALL);
}

static void note_all_synced(struct file *file, int fd) {
  note_synced(file, fd);
  pthread_mutex_lock(&lock);
  for (int other = 0; other < FILES_MAX; other++) {
    struct file *same = files[other];
    if (same && same != file && same->inode == file->inode) copy_synced(same, file);
  }
  pthread_mutex_unlock(&lock);
}

/* A file that is open already is synced so far as it was there. */
static int known(int fd, const char *path) {
  int kind = fd < 0 || fd >= FILES_MAX ? 0 : kind_of(path);
  forget(fd);
  if (!kind) return fd;
  struct file *file = calloc(1, sizeof *file);
  file->kind = kind;
  note_synced(file, fd);
  pthread_mutex_lock(&lock);
  for (int other = 0; other < FILES_MAX; other++) {
    if (!files[other] || files[other]->inode != file->inode || !is_open(other, file->inode)) continue;
    copy_synced(file, files[other]);
    break;
  }
  files[fd] = file;
  pthread_mutex_unlock(&lock);
  return fd;
}

/* Whether this call is to fail. */
static int hits(int fault, int kind, int batch) {
  if (!control || !control[ARMED] || control[FAULT] != fault || !(control[FILES] & kind)) return 0;
  if (kind == LOG && batch >= 0 && control[BATCHES] && !(control[BATCHES] & batch)) return 0;
  pthread_mutex_lock(&lock);
  int hit = 0;
  if (control[PASS] > 0) control[PASS]--;
  else if (control[LEFT] > 0) {
    control[LEFT]--;
    control[FAILED]++;
    hit = 1;
  }
  pthread_mutex_unlock(&lock);
  return hit;
}

/* By the first row of a batch: sequence:8 count:4 tag:1 length (key length < 128: one byte) key */
static int batch_of(const unsigned char *bytes, size_t size) {
  if (size < 15) return 16;
  int deleted = bytes[12] == 0;
  switch (bytes[14]) {
    case 's': case 'h': case 'c': case 'l': case 'r': case 'x': case 'd': return 1;
    case 'g': return 2;
    case 'p': case 'q': return deleted ? 8 : 4;
    default: return 16;
  }
}

/* Pages that were dirty are dropped: what was not synced is gone. */
static void lose_unsynced(struct file *file, int fd) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  int copy = open(path, O_WRONLY | O_CLOEXEC);
  if (copy < 0) return;
  if (file->held >= 0 && pwrite(copy, file->bytes, file->held, 0) < 0) abort();
  if (ftruncate(copy, file->size) != 0) abort();
  close(copy);
}

static int synced(int fd, int (*real)(int)) {
  struct file *file = file_of(fd);
  if (!file) return real(fd);
  if (hits(SYNC_EIO, file->kind, file->batch)) {
    errno = EIO;
    return -1;
  }
  if (hits(SYNC_LOST, file->kind, file->batch)) {
    lose_unsynced(file, fd);
    errno = EIO;
    return -1;
  }
  int result = real(fd);
  if (result == 0) note_all_synced(file, fd);
  return result;
}

int fsync(int fd) {
  REAL(fsync);
  return synced(fd, real);
}

int fdatasync(int fd) {
  REAL(fdatasync);
  return synced(fd, real);
}

FILE *fopen64(const char *path, const char *mode) {
  REAL(fopen64);
  int kind = kind_of(path);
  if (kind && hits(OPEN_EMFILE, kind, -1)) {
    errno = EMFILE;
    return 0;
  }
  FILE *stream = real(path, mode);
  if (stream && kind) known(fileno(stream), path);
  return stream;
}

size_t fwrite_unlocked(const void *bytes, size_t size, size_t count, FILE *stream) {
  REAL(fwrite_unlocked);
  struct file *file = file_of(fileno(stream));
  if (file && file->kind == LOG) {
    const unsigned char *record = bytes;
    /* a header of 7 bytes, whose last says: 1 a whole batch, 2 its beginning */
    if (size * count == 7) file->record = record[6];
    else if (file->record == 1 || file->record == 2) file->batch = batch_of(record, size * count);
  }
  return real(bytes, size, count, stream);
}

int fflush_unlocked(FILE *stream) {
  REAL(fflush_unlocked);
  int fd = fileno(stream);
  struct file *file = file_of(fd);
  size_t pending = file ? __fpending(stream) : 0;
  if (pending == 0) return real(stream);
  int error = hits(WRITE_EIO, file->kind, file->batch) ? EIO : hits(WRITE_ENOSPC, file->kind, file->batch) ? ENOSPC : 0;
  if (error == 0) return real(stream);
  if (write(fd, stream->_IO_write_base, pending / 2) < 0) abort();
  __fpurge(stream);
  errno = error;
  return EOF;
}

static int opened(const char *path, int flags, mode_t mode, int (*real)(const char *, int, ...)) {
  int kind = kind_of(path);
  if (kind && hits(OPEN_EMFILE, kind, -1)) {
    errno = EMFILE;
    return -1;
  }
  int fd = known(real(path, flags, mode), kind ? path : "");
  /* of any batch */
  if (file_of(fd)) file_of(fd)->batch = -1;
  return fd;
}

#define MODE_OF(flags)                    \
  mode_t mode = 0;                        \
  if ((flags) & (O_CREAT | O_TMPFILE)) {  \
    va_list more;                         \
    va_start(more, flags);                \
    mode = va_arg(more, mode_t);          \
    va_end(more);                         \
  }

int open(const char *path, int flags, ...) {
  REAL(open);
  MODE_OF(flags)
  return opened(path, flags, mode, real);
}

int open64(const char *path, int flags, ...) {
  REAL(open64);
  MODE_OF(flags)
  return opened(path, flags, mode, real);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset) {
  REAL(pwrite64);
  struct file *file = file_of(fd);
  if (file && hits(WRITE_EIO, file->kind, -1)) {
    real(fd, bytes, size / 2, offset);
    errno = EIO;
    return -1;
  }
  if (file && hits(WRITE_ENOSPC, file->kind, -1)) {
    errno = ENOSPC;
    return -1;
  }
  return real(fd, bytes, size, offset);
}

ssize_t read(int fd, void *bytes, size_t size) {
  REAL(read);
  struct file *file = file_of(fd);
  if (file && hits(READ_EIO, file->kind, -1)) {
    errno = EIO;
    return -1;
  }
  return real(fd, bytes, size);
}

ssize_t pread64(int fd, void *bytes, size_t size, off64_t offset) {
  REAL(pread64);
  struct file *file = file_of(fd);
  if (file && hits(READ_EIO, file->kind, -1)) {
    errno = EIO;
    return -1;
  }
  return real(fd, bytes, size, offset);
}

int rename(const char *from, const char *to) {
  REAL(rename);
  int kind = kind_of(from) | kind_of(to);
  if (kind && hits(RENAME_EIO, kind, -1)) {
    errno = EIO;
    return -1;
  }
  return real(from, to);
}

int close(int fd) {
  REAL(close);
  forget(fd);
  return real(fd);
}

int fclose(FILE *stream) {
  REAL(fclose);
  forget(fileno(stream));
  return real(stream);
}
