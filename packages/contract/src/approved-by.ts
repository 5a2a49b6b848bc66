import { z } from 'zod'

const choices = z.enum(['client', 'staff', 'either'])

/** Who can approve a call. Returns a new schema each time, because each field has its own description. */
export const approvedBy = (description: string) =>
  choices.describe(
    `${description} \`client\`: the client of the realtime session, or the API key that asked the question. \`staff\`: members and API keys with the scope \`approval:decide\`. \`either\`: both of them.`,
  )

export type ApprovedBy = z.output<typeof choices>
