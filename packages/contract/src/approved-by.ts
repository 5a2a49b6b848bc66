import { z } from 'zod'

const choices = z.enum(['client', 'staff', 'either'])

/** Who may decide on a call that needs approval. Returns a new schema each time, because each field has its own description. */
export const approvedBy = (description: string) =>
  choices.describe(
    `${description} \`client\`: the user over the session's socket, or the key that asked the question. \`staff\`: people and keys with \`approval:decide\`. \`either\`: both.`,
  )

export type ApprovedBy = z.output<typeof choices>
