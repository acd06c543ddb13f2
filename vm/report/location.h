/* location.h: schema locations of the instructions of a report program.
 *
 * Everything is read from the image's marks and locations.  The verifier has checked their indices;
 * but an image may come from anyone, so every traversal here has a bound. */
#ifndef CUPEL_VM_LOCATION_H
#define CUPEL_VM_LOCATION_H

#include "base/pointer.h"
#include "vm/run/records.h"
#include "vm/run/vm.h"

#define CUPEL__NO_LOC UINT32_MAX

/* -- Marks ---------------------------------------------------------------------------------------
 */

/* The image's marks, sorted by pc. */
static inline const struct cupel__image_mark *cupel__marks(const struct cupel__code *code)
{
    return cupel__at(code->image, code->image->marks.at);
}

/* The index of the first mark at or after `pc`; the number of marks if there is none. */
uint32_t cupel__mark_find(const struct cupel__code *, uint32_t pc);
/* The location of the schema that a mark's instruction belongs to, or CUPEL__NO_LOC. */
uint32_t cupel__mark_schema(const struct cupel__code *, const struct cupel__image_mark *);

/* -- Locations -----------------------------------------------------------------------------------
 */

/* The location of the instruction at `pc`, or CUPEL__NO_LOC. */
uint32_t cupel__loc_of(const struct cupel__code *, uint32_t pc);
/* The location of the schema that the instruction at `pc` belongs to, or CUPEL__NO_LOC. */
uint32_t cupel__loc_schema(const struct cupel__code *, uint32_t pc);
/* The location of the root schema. */
uint32_t cupel__loc_root(const struct cupel__code *);
/* The last step of a location; "" for a document's root. */
struct cupel__str cupel__loc_token(const struct cupel__code *, uint32_t loc);
uint32_t cupel__loc_parent(const struct cupel__code *, uint32_t loc);
/* The keyword that the instruction at `pc` comes from, such as "required"; "false" for a false
 * schema that is not the whole value of a keyword. */
struct cupel__str cupel__loc_keyword(const struct cupel__code *, uint32_t pc);

/* -- As text -------------------------------------------------------------------------------------
 */

/* Append a location as a JSON Pointer into its document; as the URI of its resource with a fragment
 * (core 9.2.1), `base` being the URI of resources without one; the evaluation path of an event,
 * which goes through all references (core 10.1 of 2019-09: keyword location).  Each ends where the
 * pointer is full or after more steps than any schema has, and returns the number of locations
 * read. */
uint32_t cupel__loc_pointer(const struct cupel__code *, uint32_t loc, struct cupel__pointer *);
uint32_t cupel__loc_uri(const struct cupel__code *, uint32_t loc, const char *base,
                        struct cupel__pointer *);
uint32_t cupel__loc_evaluation(const struct cupel__code *, const struct cupel__path *paths,
                               const struct cupel__event *, struct cupel__pointer *);

/* The location that the first `steps` steps of an event's evaluation path lead to.  *looked grows
 * by the locations and steps read. */
uint32_t cupel__loc_on_path(const struct cupel__code *, const struct cupel__path *paths,
                            const struct cupel__event *, uint32_t steps, int64_t *looked);

#endif
