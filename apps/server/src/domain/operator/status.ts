import { z } from 'zod'
import { testConnection } from '../connections/test-connection.js'
import { findAnsweringModel } from '../first-start/answering-model.js'
import { opensSecrets } from '../first-start/secret-check.js'
import { defineAct, operatorCaller } from './operator-act.js'

const Provider = z.object({
  connection: z.string(),
  model: z.string().nullable(),
  ok: z.boolean(),
  detail: z.string(),
  missingModels: z.array(z.string()),
})

/** Reads what the database and the secret reveal about an installation's state. */
export const readStatus = defineAct({
  name: 'status',
  input: z.strictObject({}),
  output: z.object({
    isSetUp: z.boolean(),
    /** Whether the stored secrets can be opened. Null if there are none yet. */
    opensSecrets: z.boolean().nullable(),
    /** The test of the first organization's default connection, or null if there is none. */
    provider: Provider.nullable(),
  }),
  async run(world, operator) {
    const { stores } = world.database
    const installation = await stores.installation.find()
    if (installation === null) return { isSetUp: false, opensSecrets: null, provider: null }
    const { firstOrganizationId, secretCheck } = installation
    if (!opensSecrets(world.cipher, secretCheck))
      return { isSetUp: true, opensSecrets: false, provider: null }
    const connection = await stores.connections.findForAgent(firstOrganizationId, null)
    if (connection === null) return { isSetUp: true, opensSecrets: true, provider: null }
    const scope = { stores, caller: operatorCaller(firstOrganizationId, operator) }
    const { ok, detail, missingModels } = await testConnection(world, scope, connection.id)
    const answering = await findAnsweringModel(world.database)
    return {
      isSetUp: true,
      opensSecrets: true,
      provider: { connection: connection.name, model: answering?.model ?? null, ok, detail, missingModels },
    }
  },
})
