import { z } from 'zod'

/** The actor of an action, as the audit log names it. */
export const actor = () =>
  z.object({
    type: z
      .enum(['api_key', 'person', 'session', 'agent', 'system', 'operator'])
      .describe(
        'The kind of actor: `person` is a signed-in user, `session` the client of a realtime session, `operator` the `parley` command.',
      ),
    id: z.string().nullable().describe('The id of the actor.'),
    name: z.string().nullable().describe("The actor's name at the time."),
  })
