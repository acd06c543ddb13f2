/* test_cpu_features.c: what the bundle finds out about the processor by itself is what the
 * compiler's run-time library says. */
#define CUPEL__OWN_CPU_FEATURES
#define cupel__scanner_supported own_scanner_supported
#define cupel__scanner_best      own_scanner_best
#define cupel__scanner_name      own_scanner_name
#define cupel__json_engines      own_json_engines
#include "base/json/cpu_dispatch.c"
#undef cupel__scanner_supported
#undef cupel__scanner_best

#include "test.h"

bool cupel__scanner_supported(enum cupel__scanner scanner);
enum cupel__scanner cupel__scanner_best(void);

int main(void)
{
    for (int scanner = 0; scanner < CUPEL__SCANNERS; scanner++)
        CHECK(own_scanner_supported((enum cupel__scanner)scanner) ==
              cupel__scanner_supported((enum cupel__scanner)scanner));
    CHECK(own_scanner_best() == cupel__scanner_best());
    return test_end();
}
