/* elicit.h: elicitations: the schemas with which a server asks the user, and the client's answers.
 */
#ifndef CUPEL_GATEWAY_ELICIT_H
#define CUPEL_GATEWAY_ELICIT_H

#include "gateways/common/exchange/exchange.h"

/* -- Questions of the server ----------------------------------------------------------------- */

/* Remembers the schema of the server's request `message`, if it is an elicitation.
 */
void cupel_gw_remember_elicitation(struct cupel_gw_exchange *x, struct cupel_document *doc,
                                   const struct cupel_message *message);

/* The result may be an InputRequiredResult (2026-07-28): the schemas of its
 * requests are remembered for the client's next request with this method and
 * tool. */
void cupel_gw_remember_input_requests(struct cupel_gw_exchange *x, struct cupel_document *doc,
                                      uint32_t result, struct cupel_gw_text method,
                                      struct cupel_gw_text tool);

/* -- Answers of the client ------------------------------------------------------------------- */

/* Judges a message of the client that answers a request of the server (a note with kind ANSWER), if
 * policy->elicitation is set: the content of an accepted elicitation has to conform to the schema
 * that the server sent.  `doc` holds the message at `node`.  PASS, or REFUSE with x->answer.
 * policy->unattributed decides whether an answer to an unknown request passes; other answers
 * pass. */
enum cupel_gw_step cupel_gw_elicitation_answer(struct cupel_gw_exchange *x,
                                               struct cupel_document *doc, uint32_t node);

/* The same for a request of 2026-07-28 that answers the result of an earlier one: each elicitation
 * in `inputResponses` of its params.  `tool` is the name of a call's tool, and empty otherwise. */
enum cupel_gw_step cupel_gw_elicitation_inputs(struct cupel_gw_exchange *x,
                                               struct cupel_document *doc, uint32_t params,
                                               struct cupel_gw_text method,
                                               struct cupel_gw_text tool);

/* Frees the programs that a worker keeps for elicitations, and their scratch. */
void cupel_gw_free_elicitation_programs(struct cupel_gw_worker *worker);

#endif
