import { z } from 'zod'

/** The actor of an action, as recorded in the audit log. */
export const actor = () =>
  z.object({
    type: z
      .enum(['api_key', 'person', 'session', 'agent', 'system', 'operator'])
      .describe(
        'The type of the actor: an API key (`api_key`), a signed-in user (`person`), the client of a realtime session (`session`), an agent (`agent`), the service itself (`system`), or someone using the `parley` command (`operator`).',
      ),
    id: z.string().nullable().describe('The ID of the actor. `null` if it has none.'),
    name: z
      .string()
      .nullable()
      .describe('The name of the actor at the time of the action. `null` if it has none.'),
  })
