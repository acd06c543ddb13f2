/* killing.h: processes that share a block and are killed at any instruction.
 *
 * The lock is one that a killed process leaves taken; who killed it releases it, as nginx's master
 * does. */
#ifndef CUPEL_TEST_KILLING_H
#define CUPEL_TEST_KILLING_H

#include "gateways/common/store/store.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct shared {
    _Atomic int lock; /* the process that has it */
    _Atomic uint64_t wrong, rounds;
    _Alignas(64) char block[];
};

static bool dead[1000000]; /* numbers of processes of this test */

static inline struct shared *map_shared(size_t size)
{
    return mmap(NULL, sizeof(struct shared) + size, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static inline void unmap_shared(struct shared *shared, size_t size)
{
    munmap(shared, sizeof(*shared) + size);
}

static inline void shared_lock(void *ctx)
{
    struct shared *shared = ctx;
    int none = 0;
    while (!atomic_compare_exchange_weak(&shared->lock, &none, (int)getpid()))
        none = 0;
}

static inline void shared_unlock(void *ctx)
{
    struct shared *shared = ctx;
    atomic_store(&shared->lock, 0);
}

static inline int shared_random(void *ctx, void *bytes, size_t len)
{
    (void)ctx;
    memset(bytes, 7, len);
    return 0;
}

static inline bool shared_alive(void *ctx, uint64_t process)
{
    (void)ctx;
    return !dead[process];
}

static inline struct cupel_gw_store_host host_of(struct shared *shared)
{
    return (struct cupel_gw_store_host){shared_lock, shared_unlock, shared_random, shared_alive,
                                        shared};
}

static inline uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* What a process does until it is killed. */
typedef void shared_work(struct shared *shared, uint64_t process, uint64_t seed);
/* What is true whoever was killed; adds to shared->wrong. */
typedef void shared_check(struct shared *shared, uint64_t process);

struct victim {
    pid_t child;
    uint64_t number;
};

static inline void start_victim(struct shared *shared, struct victim *victim, shared_work *work,
                                uint64_t number, uint64_t seed)
{
    victim->number = number;
    victim->child = fork();
    if (victim->child == 0) {
        work(shared, number, seed);
        _exit(0);
    }
}

static inline void kill_victim(struct shared *shared, const struct victim *victim)
{
    int self = (int)victim->child;
    kill(victim->child, SIGKILL);
    waitpid(victim->child, NULL, 0);
    atomic_compare_exchange_strong(&shared->lock, &self, 0);
    dead[victim->number] = true;
}

/* Kills and replaces workers, `kills` times, after pauses of up to `longest` microseconds each.
 * Returns the last number that a process had. */
static inline uint64_t kill_workers(struct shared *shared, unsigned kills, unsigned longest,
                                    shared_work *work, shared_check *check)
{
    enum { WORKERS = 3, CHECK_EVERY = 10 };
    struct victim victims[WORKERS];
    uint64_t last = 10, state = 20261122;
    for (int i = 0; i < WORKERS; i++)
        start_victim(shared, &victims[i], work, ++last, next_random(&state));
    for (unsigned i = 0; i < kills; i++) {
        struct timespec pause = {0, (long)(next_random(&state) % longest) * 1000};
        nanosleep(&pause, NULL);
        struct victim *victim = &victims[next_random(&state) % WORKERS];
        kill_victim(shared, victim);
        start_victim(shared, victim, work, ++last, next_random(&state));
        if (i % CHECK_EVERY == 0)
            check(shared, ++last);
    }
    for (int i = 0; i < WORKERS; i++)
        kill_victim(shared, &victims[i]);
    check(shared, ++last);
    return last;
}

#endif
