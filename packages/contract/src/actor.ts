import { z } from 'zod'

/** Who did something, as the audit log names them. */
export const actor = () =>
  z.object({
    type: z
      .enum(['api_key', 'person', 'session', 'agent', 'system', 'operator'])
      .describe(
        'What kind of actor it was; `person` is somebody who has signed in, `session` the client of a realtime session, `operator` the `parley` command.',
      ),
    id: z.string().nullable().describe('The id of the actor.'),
    name: z.string().nullable().describe("The actor's name at the time."),
  })
