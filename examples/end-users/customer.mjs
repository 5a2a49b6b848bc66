// Asks an agent in the name of a customer, shows what is stored about the customer, and erases it:
// node customer.mjs lena "What is my plan?"
import { setTimeout as wait } from 'node:timers/promises'
import { NotFoundError, Parley } from '@parley/sdk'

const missing = ['PARLEY_URL', 'PARLEY_ORG_ID', 'PARLEY_API_KEY'].filter((name) => !process.env[name])
if (missing.length > 0) {
  console.error(`Set the environment variables ${missing.join(', ')} (see README.md).`)
  process.exit(1)
}

const { PARLEY_URL, PARLEY_ORG_ID, PARLEY_API_KEY } = process.env
const parley = new Parley({ baseUrl: PARLEY_URL, organizationId: PARLEY_ORG_ID, apiKey: PARLEY_API_KEY })
const [, , externalUserId = 'lena', question = 'What is my plan?'] = process.argv

const agent = await parley.agents.upsert('example-customers', {
  name: 'Customer desk',
  systemMessage: 'You serve customers. The plan is {{plan}}.',
  variables: [{ name: 'plan', description: "The customer's plan, from the billing system." }],
})

const { answer } = await parley.questions.ask(agent.id, {
  question,
  externalUserId,
  metadata: { source: 'example' },
  // Only a backend that knows the customer may send values like this one.
  variables: { plan: 'Gold' },
})
console.log(`${externalUserId}: ${question}\nagent: ${answer}`)

const {
  items: [endUser],
} = await parley.endUsers.list({ ExternalId: externalUserId })
console.log(`conversations: ${endUser.conversationCount}`)

const stored = await parley.endUsers.export(endUser.id)
const tables = (await stored.text())
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line).table)
console.log(`export: ${[...new Set(tables)].join(', ')}`)

await parley.endUsers.delete(endUser.id)
while (await exists(endUser.id)) await wait(200)
console.log('erased')

async function exists(id) {
  try {
    await parley.endUsers.get(id)
    return true
  } catch (error) {
    if (error instanceof NotFoundError) return false
    throw error
  }
}
