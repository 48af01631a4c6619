/* SQLite on a disk that fails when it is told to: writes answer `faulty_code` while that is set,
 * and syncs are counted.
 *
 *     faulty_vfs_use();                          // for all that is opened from now on
 *     faulty_code = SQLITE_FULL;
 */
#pragma once

#include <sqlite3.h>
#include <stdatomic.h>

#include "test.h"

static _Atomic int faulty_code;
static _Atomic size_t faulty_syncs;

struct faulty_file {
    sqlite3_file base;
    sqlite3_file *real; /* behind this */
};

#define REAL(f) (((struct faulty_file *)(f))->real)

static inline int faulty_close(sqlite3_file *f)
{
    return REAL(f)->pMethods->xClose(REAL(f));
}

static inline int faulty_read(sqlite3_file *f, void *to, int n, sqlite3_int64 at)
{
    return REAL(f)->pMethods->xRead(REAL(f), to, n, at);
}

static inline int faulty_write(sqlite3_file *f, const void *from, int n, sqlite3_int64 at)
{
    return faulty_code ? faulty_code : REAL(f)->pMethods->xWrite(REAL(f), from, n, at);
}

static inline int faulty_truncate(sqlite3_file *f, sqlite3_int64 n)
{
    return REAL(f)->pMethods->xTruncate(REAL(f), n);
}

static inline int faulty_sync(sqlite3_file *f, int flags)
{
    faulty_syncs++;
    return REAL(f)->pMethods->xSync(REAL(f), flags);
}

static inline int faulty_size(sqlite3_file *f, sqlite3_int64 *n)
{
    return REAL(f)->pMethods->xFileSize(REAL(f), n);
}

static inline int faulty_lock(sqlite3_file *f, int how)
{
    return REAL(f)->pMethods->xLock(REAL(f), how);
}

static inline int faulty_unlock(sqlite3_file *f, int how)
{
    return REAL(f)->pMethods->xUnlock(REAL(f), how);
}

static inline int faulty_reserved(sqlite3_file *f, int *out)
{
    return REAL(f)->pMethods->xCheckReservedLock(REAL(f), out);
}

static inline int faulty_control(sqlite3_file *f, int op, void *arg)
{
    return REAL(f)->pMethods->xFileControl(REAL(f), op, arg);
}

static inline int faulty_sector(sqlite3_file *f)
{
    return REAL(f)->pMethods->xSectorSize(REAL(f));
}

static inline int faulty_device(sqlite3_file *f)
{
    return REAL(f)->pMethods->xDeviceCharacteristics(REAL(f));
}

static inline int faulty_shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **p)
{
    return REAL(f)->pMethods->xShmMap(REAL(f), page, size, extend, p);
}

static inline int faulty_shm_lock(sqlite3_file *f, int offset, int n, int flags)
{
    return REAL(f)->pMethods->xShmLock(REAL(f), offset, n, flags);
}

static inline void faulty_shm_barrier(sqlite3_file *f)
{
    REAL(f)->pMethods->xShmBarrier(REAL(f));
}

static inline int faulty_shm_unmap(sqlite3_file *f, int remove)
{
    return REAL(f)->pMethods->xShmUnmap(REAL(f), remove);
}

static const sqlite3_io_methods faulty_methods = {
    .iVersion = 2,
    .xClose = faulty_close,
    .xRead = faulty_read,
    .xWrite = faulty_write,
    .xTruncate = faulty_truncate,
    .xSync = faulty_sync,
    .xFileSize = faulty_size,
    .xLock = faulty_lock,
    .xUnlock = faulty_unlock,
    .xCheckReservedLock = faulty_reserved,
    .xFileControl = faulty_control,
    .xSectorSize = faulty_sector,
    .xDeviceCharacteristics = faulty_device,
    .xShmMap = faulty_shm_map,
    .xShmLock = faulty_shm_lock,
    .xShmBarrier = faulty_shm_barrier,
    .xShmUnmap = faulty_shm_unmap,
};

static inline int faulty_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags,
                              int *out)
{
    sqlite3_vfs *real = vfs->pAppData;
    struct faulty_file *file = (struct faulty_file *)f;
    file->real = (sqlite3_file *)(file + 1);
    int rc = real->xOpen(real, name, file->real, flags, out);
    file->base.pMethods = file->real->pMethods ? &faulty_methods : NULL;
    return rc;
}

static inline void faulty_vfs_use(void)
{
    static sqlite3_vfs vfs;
    sqlite3_vfs *real = sqlite3_vfs_find("unix");
    assert_non_null(real);
    vfs = *real;
    vfs.zName = "faulty";
    vfs.pAppData = real;
    vfs.pNext = NULL;
    vfs.szOsFile = (int)sizeof(struct faulty_file) + real->szOsFile;
    vfs.xOpen = faulty_open;
    assert_int_equal(sqlite3_vfs_register(&vfs, 1), SQLITE_OK);
}
