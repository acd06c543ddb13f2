/* withheld.h: tools that are withheld: which these are, and removing them from a list.
 *
 * A tool is withheld if it differs from its pin, if the lock does not have it, or if its
 * definition has hidden text.  What follows is policy->changed and policy->hidden_text: report,
 * refuse its calls, or hide it too. */
#ifndef CUPEL_GATEWAY_HELD_H
#define CUPEL_GATEWAY_HELD_H

#include "gateways/common/exchange/exchange.h"

enum cupel_gw_withheld_why {
    CUPEL_GW_WITHHELD_CHANGED = 1 << 0, /* it is not as it was approved */
    CUPEL_GW_WITHHELD_MISSING = 1 << 1, /* the lock does not have it */
    CUPEL_GW_WITHHELD_HIDDEN = 1 << 2   /* the rule hidden-text */
};

/* Why a tool is withheld: bits of enum cupel_gw_withheld_why, 0 if it is not.  `options` are the
 * catalog's.  `pins` NULL: nothing is pinned.  CUPEL_OK; CUPEL_E_UNSUPPORTED if this build has no
 * SHA-256; CUPEL_E_NO_MEMORY.  After a failure the host withholds the tool. */
enum cupel_status cupel_gw_withheld_find(const struct cupel_catalog_options *options,
                                         const struct cupel_catalog *catalog,
                                         const struct cupel_tool *tool,
                                         const struct cupel_lock *pins, uint8_t *ret_why);

/* Why calls of a tool are withheld, by the flags of all tools of the catalog: what is wrong with
 * any tool of this name, because it is not known which of them a call reaches. */
uint8_t cupel_gw_withheld_by_name(const struct cupel_catalog *catalog, const uint8_t *withheld,
                                  const struct cupel_tool *tool);

/* What the policy does with it: the strictest of its settings for these reasons.  With `why` 0
 * CUPEL_GW_WITHHOLD_REPORT. */
enum cupel_gw_withhold cupel_gw_withheld_action(const struct cupel_gw_policy *policy, uint8_t why);

/* The word for counters and logs: "changed", "unpinned", "hidden-text"; "" with 0.  Static. */
const char *cupel_gw_withheld_word(uint8_t why);

/* -- Hiding ---------------------------------------------------------------------------------- */

/* A range of bytes in the text of a message. */
struct cupel_gw_cut {
    size_t at, len;
};

/* Computes what is cut out of an array: the items for which `hide` is not 0, each with one comma,
 * so that the rest is an array.  `items` are the items' own ranges in order. Fills in at most
 * `count` cuts, in order and apart, and returns how many.  `text` is the message. */
size_t cupel_gw_cuts(const char *text, const struct cupel_gw_cut *items, const uint8_t *hide,
                     size_t count, struct cupel_gw_cut *ret);

/* Writes a JSON text without the cuts.  Returns what the sink does. */
int cupel_gw_cut_text(const char *text, size_t len, const struct cupel_gw_cut *cuts, size_t count,
                      const struct cupel_gw_sink *sink);

/* Writes an event without what is cut out of its data: `event` is all of it, up to and with its
 * blank line, and the cuts are ranges in its data, where one LF joins the data lines (as events.h
 * has it). All else stays: other fields, comments, `data:` with or without a space, and the ends of
 * lines, CR, LF or CRLF; a BOM at the beginning of the stream is not part of the event. */
int cupel_gw_cut_event(const char *event, size_t len, const struct cupel_gw_cut *cuts, size_t count,
                       const struct cupel_gw_sink *sink);

#endif
