import { z } from 'zod'
import { addOwnerLink } from '../people/invitations.js'
import { findOnlyOrganization } from './api-keys.js'
import { defineAct, operatorCaller } from './operator-act.js'
import { requireOrganization } from './organizations.js'

/** The way in for people where nobody is an owner yet, or no owner can get in any more. */
export const createOwnerLink = defineAct({
  name: 'owner-link.create',
  /** Without an organization: the only one. */
  input: z.strictObject({ organizationId: z.string().nullable() }),
  output: z.object({ organizationId: z.string(), token: z.string() }),
  async run(world, operator, { organizationId: wanted }) {
    const organizationId = wanted ?? (await findOnlyOrganization(world))
    await requireOrganization(world, organizationId)
    const caller = operatorCaller(organizationId, operator)
    const token = await world.database.transaction((stores) => addOwnerLink(world.clock, { stores, caller }))
    return { organizationId, token }
  },
})
