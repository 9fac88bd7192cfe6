/* A display's vertical sync for windows that are drawn in software, where swap
 * control doesn't exist: loaded before the program, it says that it does, and
 * holds a swap until the next refresh of a display at EMULATED_DISPLAY_HZ hertz
 * when the program has asked for an interval. Without that variable it changes
 * nothing.
 *
 * The windowing library opens libGL or libEGL itself and asks dlsym for what it
 * needs, so that is where it is answered. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void (*function)(void);
typedef void *(*lookup)(void *, const char *);
typedef function (*address_of)(const unsigned char *);

static lookup next_dlsym;
static double period; /* of a refresh, in nanoseconds; 0: nothing is emulated */
static int wanted = 1; /* refreshes from swap to swap; 0: swaps don't wait */

/* What the libraries have under the names that are answered here. */
static struct {
    void (*swap)(void *, unsigned long);
    const char *(*extensions)(void *, int);
    address_of address;
} glx;
static struct {
    unsigned (*swap)(void *, void *);
    unsigned (*interval)(void *, int);
    address_of address;
} egl;

__attribute__((constructor)) static void begin(void) {
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.2.5"};
    for (size_t i = 0; i < sizeof versions / sizeof *versions && !next_dlsym; i++)
        next_dlsym = (lookup)dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    const char *hz = getenv("EMULATED_DISPLAY_HZ");
    double rate = hz ? strtod(hz, NULL) : 0;
    if (rate > 0)
        period = 1e9 / rate;
}

static long long clock_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* The refreshes lie on a grid that begins with the first swap that waits. A swap
 * comes with the first of them after it is ready, and not before the interval is
 * over. */
static void wait_for_refresh(void) {
    static long long origin;
    static long long last = -1;
    long long now = clock_now();
    if (origin == 0)
        origin = now;
    long long n = (long long)((double)(now - origin) / period) + 1;
    if (last >= 0 && n < last + wanted)
        n = last + wanted;
    last = n;
    long long until = origin + (long long)((double)n * period);
    struct timespec t = {until / 1000000000LL, until % 1000000000LL};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
        ;
}

/* before_swap finishes the work, which belongs before the wait, and waits. */
static void before_swap(address_of address) {
    if (wanted <= 0)
        return;
    function finish = address ? address((const unsigned char *)"glFinish") : NULL;
    if (finish)
        finish();
    wait_for_refresh();
}

static void glx_swap(void *display, unsigned long drawable) {
    before_swap(glx.address);
    glx.swap(display, drawable);
}

static void glx_interval(void *display, unsigned long drawable, int interval) {
    (void)display, (void)drawable;
    wanted = abs(interval);
}

static const char *glx_extensions(void *display, int screen) {
    static char list[1 << 14];
    static const char ours[] = " GLX_EXT_swap_control";
    const char *theirs = glx.extensions(display, screen);
    size_t n = theirs ? strlen(theirs) : 0;
    if (n + sizeof ours > sizeof list)
        return theirs;
    memcpy(list, theirs, n);
    memcpy(list + n, ours, sizeof ours);
    return list;
}

static function glx_address(const unsigned char *name) {
    if (strcmp((const char *)name, "glXSwapIntervalEXT") == 0)
        return (function)glx_interval;
    return glx.address(name);
}

static unsigned egl_swap(void *display, void *surface) {
    before_swap(egl.address);
    return egl.swap(display, surface);
}

static unsigned egl_interval(void *display, int interval) {
    wanted = abs(interval);
    return egl.interval(display, 0);
}

/* answer gives the function to hand out for a name, or what the library has. */
static void *answer(const char *name, void *theirs) {
#define ANSWER(asked, kept, ours)                                                                                      \
    if (strcmp(name, asked) == 0) {                                                                                    \
        *(void **)&(kept) = theirs;                                                                                    \
        return (void *)(ours);                                                                                         \
    }
    ANSWER("glXSwapBuffers", glx.swap, glx_swap)
    ANSWER("glXQueryExtensionsString", glx.extensions, glx_extensions)
    ANSWER("glXGetProcAddress", glx.address, glx_address)
    ANSWER("glXGetProcAddressARB", glx.address, glx_address)
    ANSWER("eglSwapBuffers", egl.swap, egl_swap)
    ANSWER("eglSwapInterval", egl.interval, egl_interval)
    if (strcmp(name, "eglGetProcAddress") == 0)
        *(void **)&egl.address = theirs;
    return theirs;
}

void *dlsym(void *handle, const char *name) {
    if (!next_dlsym)
        begin(); /* asked before the constructors have run */
    void *theirs = next_dlsym(handle, name);
    return theirs && period > 0 ? answer(name, theirs) : theirs;
}
