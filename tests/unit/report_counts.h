/* report_counts.h: the numbers of cupel_report_count one at a time, for tests and fuzz targets. */
#ifndef CUPEL_TESTS_REPORT_COUNTS_H
#define CUPEL_TESTS_REPORT_COUNTS_H

#include <cupel/report.h>

static inline uint32_t count_records(const struct cupel_scratch *scratch)
{
    struct cupel_report_counts counts;
    cupel_report_count(scratch, &counts);
    return counts.records;
}

static inline uint32_t count_problems(const struct cupel_scratch *scratch)
{
    struct cupel_report_counts counts;
    cupel_report_count(scratch, &counts);
    return counts.problems;
}

static inline uint32_t count_lost(const struct cupel_scratch *scratch)
{
    struct cupel_report_counts counts;
    cupel_report_count(scratch, &counts);
    return counts.lost;
}

#endif
