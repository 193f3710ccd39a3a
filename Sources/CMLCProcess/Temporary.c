#include "Internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// `.mlc-`, 13 letters and digits, `.tmp`.
enum { LETTERS = 13, NAME_LENGTH = 5 + LETTERS + 4 };

struct mlc_temporary {
  char *path;
  /// The folder, open and locked.
  int32_t lock;
  struct mlc_temporary *next;
};

pthread_mutex_t mlc_lock = PTHREAD_MUTEX_INITIALIZER;
static struct mlc_temporary *first;

static bool is_name(const char *name) {
  if (strlen(name) != NAME_LENGTH || strncmp(name, ".mlc-", 5) || strcmp(name + 5 + LETTERS, ".tmp")) return false;
  return strspn(name + 5, "0123456789abcdefghijklmnopqrstuvwxyz") == LETTERS;
}

static char *join(const char *folder, const char *name) {
  size_t length = strlen(folder) + strlen(name) + 2;
  char *path = malloc(length);
  if (path) snprintf(path, length, "%s/%s", folder, name);
  return path;
}

// MARK: Removing

enum { NAMES_AT_ONCE = 64 };

/// Up to NAMES_AT_ONCE names in the folder; one descriptor is open meanwhile, however deep folders lie in each other.
static int list(const char *path, char *names[NAMES_AT_ONCE]) {
  int count = 0, descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *folder = descriptor >= 0 ? fdopendir(descriptor) : NULL;
  if (!folder) {
    if (descriptor >= 0) close(descriptor);
    return 0;
  }
  for (struct dirent *entry; count < NAMES_AT_ONCE && (entry = readdir(folder));) {
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    names[count] = join(path, entry->d_name);
    if (names[count]) count++;
  }
  closedir(folder);
  return count;
}

/// False when something stays.
static bool remove_all(const char *path) {
  if (unlink(path) == 0 || errno == ENOENT || rmdir(path) == 0) return true;
  char *names[NAMES_AT_ONCE];
  bool is_gone = true;
  for (int count; is_gone && (count = list(path, names)) > 0;) {
    for (int i = 0; i < count; i++) {
      is_gone = remove_all(names[i]) && is_gone;
      free(names[i]);
    }
  }
  return rmdir(path) == 0 || errno == ENOENT;
}

void mlc_remove_tree(const char *path) {
  // Another thread may still write into it.
  for (int attempt = 0; attempt < 1000 && !remove_all(path) && errno == ENOTEMPTY; attempt++)
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

// MARK: Owners

/// Opens the folder and becomes its owner. -1 when it has one, is not this user's, or cannot be opened; `certain` says
/// whether the file system knows about owners.
static int own(const char *path, bool *certain) {
  struct stat opened, there;
  int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return -1;
  *certain = flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  bool is_owned = !*certain && errno == EWOULDBLOCK;
  // It may have been removed, and another made, between the two calls.
  if (!is_owned && fstat(descriptor, &opened) == 0 && lstat(path, &there) == 0 && opened.st_ino == there.st_ino
      && opened.st_dev == there.st_dev && opened.st_uid == geteuid())
    return descriptor;
  close(descriptor);
  return -1;
}

void mlc_temporary_sweep(const char *folder) {
  DIR *entries = opendir(folder);
  if (!entries) return;
  for (struct dirent *entry; (entry = readdir(entries));) {
    if (!is_name(entry->d_name)) continue;
    char *path = join(folder, entry->d_name);
    bool certain = false;
    int lock = path ? own(path, &certain) : -1;
    if (lock >= 0 && certain) mlc_remove_tree(path);
    if (lock >= 0) close(lock);
    free(path);
  }
  closedir(entries);
}

/// A new name each time, that no other process takes.
static void spell(char name[NAME_LENGTH + 1]) {
  static uint64_t count;
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  uint64_t bits = (uint64_t)time.tv_sec * 1000000007 + (uint64_t)time.tv_nsec + ((uint64_t)getpid() << 40) + ++count;
  bits = (bits ^ bits >> 31) * UINT64_C(0x9e3779b97f4a7c15);
  bits ^= bits >> 29;
  memcpy(name, ".mlc-", 5);
  for (int i = 0; i < LETTERS; i++, bits /= 36) name[5 + i] = "0123456789abcdefghijklmnopqrstuvwxyz"[bits % 36];
  memcpy(name + 5 + LETTERS, ".tmp", 5);
}

/// The caller holds the lock.
static int32_t make(const char *folder, mlc_temporary *made) {
  for (int attempt = 0; attempt < 100; attempt++) {
    char name[NAME_LENGTH + 1];
    spell(name);
    made->path = join(folder, name);
    if (!made->path) return ENOMEM;
    if (mkdir(made->path, 0700) == 0) {
      bool certain;
      made->lock = own(made->path, &certain);
      if (made->lock >= 0) return 0;
      // Someone took the new folder for a left one, or there are no descriptors.
      int32_t error = errno;
      rmdir(made->path);
      if (error == EMFILE || error == ENFILE || error == ENOMEM) {
        free(made->path);
        return error;
      }
    } else if (errno != EEXIST) {
      int32_t error = errno;
      free(made->path);
      return error;
    }
    free(made->path);
  }
  return EEXIST;
}

mlc_temporary *mlc_temporary_make(const char *folder, int32_t *error) {
  mlc_temporary_sweep(folder);
  mlc_temporary *made = calloc(1, sizeof *made);
  if (!made) {
    *error = ENOMEM;
    return NULL;
  }
  pthread_mutex_lock(&mlc_lock);
  *error = make(folder, made);
  if (*error == 0) {
    made->next = first;
    first = made;
  }
  pthread_mutex_unlock(&mlc_lock);
  if (*error == 0) return made;
  free(made);
  return NULL;
}

const char *mlc_temporary_path(const mlc_temporary *temporary) { return temporary->path; }

// MARK: Publishing

/// Puts the folder `from` in the place of `path`, which goes to `old` first and back when that fails.
static int32_t replace(const char *from, const char *path, const char *old) {
  if (rename(path, old) != 0) return errno;
  if (rename(from, path) == 0) return 0;
  int32_t error = errno;
  rename(old, path);
  return error;
}

static int32_t publish(const char *from, const char *path, const char *old) {
  struct stat mine, there;
  bool takes_place_of_any = lstat(from, &mine) == 0 && S_ISDIR(mine.st_mode) && lstat(path, &there) == 0;
  if (!takes_place_of_any) return rename(from, path) == 0 ? 0 : errno;
#if defined(RENAME_EXCHANGE)
  if (renameat2(AT_FDCWD, from, AT_FDCWD, path, RENAME_EXCHANGE) == 0) return 0;
  if (errno != ENOSYS && errno != EINVAL) return errno;
#endif
  return replace(from, path, old);
}

int32_t mlc_temporary_publish(mlc_temporary *temporary, const char *name, const char *path) {
  char *from = join(temporary->path, name), *old = join(temporary->path, "old");
  int32_t error = ENOMEM;
  if (from && old) {
    pthread_mutex_lock(&mlc_lock);
    error = publish(from, path, old);
    pthread_mutex_unlock(&mlc_lock);
  }
  free(from);
  free(old);
  return error;
}

// MARK: The end

static void discard(mlc_temporary *temporary) {
  // Where descriptors are scarce, removing takes this one.
  close(temporary->lock);
  mlc_remove_tree(temporary->path);
  free(temporary->path);
  free(temporary);
}

void mlc_temporary_remove(mlc_temporary *temporary) {
  pthread_mutex_lock(&mlc_lock);
  for (mlc_temporary **place = &first; *place; place = &(*place)->next) {
    if (*place != temporary) continue;
    *place = temporary->next;
    discard(temporary);
    break;
  }
  pthread_mutex_unlock(&mlc_lock);
}

void mlc_temporaries_remove(void) {
  while (first) {
    mlc_temporary *gone = first;
    first = gone->next;
    discard(gone);
  }
}

void mlc_end_folders(void) {
  pthread_mutex_lock(&mlc_lock);
  mlc_temporaries_remove();
  pthread_mutex_unlock(&mlc_lock);
}
