/*
 * Notes what would survive a power cut: preloaded into a process, it writes a line to the file named by SYNC_LEDGER for
 * every fsync and fdatasync that has succeeded.
 *
 *   <order> <inode> <birth, ns> <size before the sync> <content in hex, of files up to 4096 bytes> \n
 *
 * What a file holds beyond that size, or has been overwritten with since, is in the page cache only. Lines come when syncs end;
 * their order is that in which they began, so of two at once the later one, which has seen more, is known.
 * gcc -shared -fPIC -O2 -o sync-ledger.so sync-ledger.c -ldl -lpthread
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SMALL 4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ledger = -2;
static unsigned long begun = 0;

static void note(unsigned long order, const struct statx *before, const unsigned char *bytes, ssize_t count) {
  static char line[2 * SMALL + 160];
  pthread_mutex_lock(&lock);
  if (ledger == -2) {
    const char *path = getenv("SYNC_LEDGER");
    ledger = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
  }
  if (ledger >= 0) {
    int length = snprintf(line, sizeof line, "%lu %llu %llu %llu ", order, (unsigned long long)before->stx_ino,
                          (unsigned long long)before->stx_btime.tv_sec * 1000000000ULL + before->stx_btime.tv_nsec,
                          (unsigned long long)before->stx_size);
    for (ssize_t i = 0; i < count; i++) length += sprintf(line + length, "%02x", bytes[i]);
    line[length++] = '\n';
    if (write(ledger, line, length) != length) abort();
  }
  pthread_mutex_unlock(&lock);
}

static int synced(int fd, const char *name) {
  int (*real)(int) = dlsym(RTLD_NEXT, name);
  struct statx before;
  unsigned char bytes[SMALL];
  ssize_t count = 0;
  // whoever has a higher number looks at the file later
  pthread_mutex_lock(&lock);
  unsigned long order = ++begun;
  pthread_mutex_unlock(&lock);
  int known = statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, &before) == 0 && S_ISREG(before.stx_mode);
  if (known && before.stx_size <= SMALL) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int copy = open(path, O_RDONLY | O_CLOEXEC);
    count = copy < 0 ? 0 : pread(copy, bytes, SMALL, 0);
    if (copy >= 0) close(copy);
    if (count < 0) count = 0;
    before.stx_size = (uint64_t)count;
  }
  int result = real(fd);
  if (result == 0 && known) note(order, &before, bytes, count);
  return result;
}

int fsync(int fd) { return synced(fd, "fsync"); }
int fdatasync(int fd) { return synced(fd, "fdatasync"); }
