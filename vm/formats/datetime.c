/* datetime.c: date, time, date-time (RFC 3339 section 5.6) and duration (its appendix A).
 *
 * Digits are ASCII, years have four digits, and days follow the Gregorian calendar. */
#include "vm/formats/formats.h"
#include "vm/formats/scan.h"

#include <string.h>

enum { DATE_LENGTH = 10, CLOCK_LENGTH = 8, DAY_MINUTES = 24 * 60 };

/* Reads two digits, a number of at most `max`. */
static bool read_pair(const char *p, unsigned max, unsigned *ret)
{
    if (!is_digit(p[0]) || !is_digit(p[1]))
        return false;
    unsigned value = (unsigned)(p[0] - '0') * 10 + (unsigned)(p[1] - '0');
    if (value > max)
        return false;
    *ret = value;
    return true;
}

/* The days of a month.  A year is given as its two pairs of digits, which makes the leap rule
 * simple: a year ending in 00 is a leap year if the century is divisible by 4. */
static unsigned month_days(unsigned century, unsigned year, unsigned month)
{
    static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year != 0 ? year % 4 == 0 : century % 4 == 0;
    return days[month - 1] + (month == 2 && leap);
}

int cupel__fmt_date(const char *p, size_t n)
{
    unsigned century, year, month, day;
    return n == DATE_LENGTH && p[4] == '-' && p[7] == '-' && read_pair(p, 99, &century) &&
           read_pair(p + 2, 99, &year) && read_pair(p + 5, 12, &month) && month > 0 &&
           read_pair(p + 8, 31, &day) && day > 0 && day <= month_days(century, year, month);
}

/* time-offset: the minutes by which local time is ahead of UTC. */
static bool read_offset(const char *p, size_t n, int *ret)
{
    unsigned hours, minutes;
    if (n == 1 && (p[0] == 'Z' || p[0] == 'z')) {
        *ret = 0;
        return true;
    }
    if (n != 6 || (p[0] != '+' && p[0] != '-') || p[3] != ':' || !read_pair(p + 1, 23, &hours) ||
        !read_pair(p + 4, 59, &minutes))
        return false;
    int ahead = (int)(hours * 60 + minutes);
    *ret = p[0] == '+' ? ahead : -ahead;
    return true;
}

/* full-time of RFC 3339.  With `leap` second 60 is allowed if it is the last second of a day in
 * UTC. */
static int time_ok(const char *p, size_t n, bool leap)
{
    unsigned hour, minute, second;
    int ahead;
    if (n <= CLOCK_LENGTH || p[2] != ':' || p[5] != ':' || !read_pair(p, 23, &hour) ||
        !read_pair(p + 3, 59, &minute) || !read_pair(p + 6, 60, &second))
        return 0;
    const char *s = p + CLOCK_LENGTH, *end = p + n;
    if (*s == '.') {
        const char *fraction = s + 1;
        s = skip_digits(fraction, end);
        if (s == fraction)
            return 0;
    }
    if (!read_offset(s, (size_t)(end - s), &ahead))
        return 0;
    int utc = ((int)(hour * 60 + minute) - ahead + DAY_MINUTES) % DAY_MINUTES;
    return second < 60 || (leap && utc == DAY_MINUTES - 1);
}

int cupel__fmt_time(const char *p, size_t n)
{
    return time_ok(p, n, true);
}

/* A time without a date may be of any day, so v1 allows no leap second. */
int cupel__fmt_time_v1(const char *p, size_t n)
{
    return time_ok(p, n, false);
}

int cupel__fmt_date_time(const char *p, size_t n)
{
    return n > DATE_LENGTH && (p[DATE_LENGTH] == 'T' || p[DATE_LENGTH] == 't') &&
           cupel__fmt_date(p, DATE_LENGTH) &&
           cupel__fmt_time(p + DATE_LENGTH + 1, n - DATE_LENGTH - 1);
}

/* Skips one or more numbers with their units.  The first may have any of the three units, each
 * further one the unit that follows.  Returns the end, or NULL. */
static const char *skip_units(const char *s, const char *end, const char units[3])
{
    unsigned next = 0;
    for (bool first = true; first || (s < end && is_digit(*s)); first = false) {
        const char *unit = skip_digits(s, end);
        if (unit == s || unit == end)
            return NULL;
        while (first && next < 2 && units[next] != *unit)
            next++;
        if (next == 3 || units[next] != *unit)
            return NULL;
        next++;
        s = unit + 1;
    }
    return s;
}

int cupel__fmt_duration(const char *p, size_t n)
{
    if (n < 3 || *p != 'P')
        return 0;
    const char *s = p + 1, *end = p + n;
    const char *weeks = skip_digits(s, end);
    if (weeks > s && weeks == end - 1 && *weeks == 'W')
        return 1;
    if (*s != 'T') {
        s = skip_units(s, end, "YMD");
        if (s == NULL || s == end)
            return s != NULL;
    }
    return *s == 'T' && skip_units(s + 1, end, "HMS") == end;
}
