/** An address that fails at once: a name with a label of more than 63 letters is never sent to a resolver. */
export const nowhere = `https://${'nobody'.repeat(11)}.invalid/`
