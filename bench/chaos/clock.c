/* Lets a program believe a time that is off by the seconds in the file CHAOS_CLOCK, eight bytes that
 * may change while it runs. Only the time of day jumps: waiting goes by the monotonic clock. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *offset_s;

__attribute__((constructor)) static void map_clock(void) {
    int file = open(getenv("CHAOS_CLOCK"), O_RDONLY | O_CLOEXEC);
    void *mapped = mmap(NULL, sizeof *offset_s, PROT_READ, MAP_SHARED, file, 0);
    offset_s = mapped == MAP_FAILED ? NULL : mapped;
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int failed = (int)syscall(SYS_clock_gettime, clock, now);
    if (!failed && clock == CLOCK_REALTIME && offset_s)
        now->tv_sec += *offset_s;
    return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec precise;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *into) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (into)
        *into = now.tv_sec;
    return now.tv_sec;
}
