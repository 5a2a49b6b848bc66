import { createRequire } from 'node:module'

/** Its build of one file: the 436 files that an import reads take twice as long, and a first answer waits for them. */
export const nlp: typeof import('compromise').default = createRequire(import.meta.url)('compromise')
