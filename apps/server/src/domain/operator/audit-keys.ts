import { z } from 'zod'
import { defineAct } from './operator-act.js'

/** The keys that old audit records were sealed with, themselves sealed: whoever asks opens them with the secret. */
export const readRetiredKeys = defineAct({
  name: 'audit.keys',
  input: z.strictObject({}),
  output: z.array(z.object({ id: z.string(), sealedKey: z.string() })),
  run: async ({ database }) => [...(await database.stores.audit.retiredKeys())],
})
