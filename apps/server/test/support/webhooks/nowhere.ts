/** An address that leads nowhere, at once: no resolver is asked for a name with a part of more than 63 letters. */
export const nowhere = `https://${'nobody'.repeat(11)}.invalid/`
