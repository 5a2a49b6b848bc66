import { expect, test } from 'vitest'
import { consentAddress, obtainTokens, pageQueryOf } from '../../support/mcp/oauth-flow.js'
import { type SignedInPerson, signedIn } from '../../support/people/signed-in.js'
import { useQuestionService } from '../../support/questions/question-service.js'
import { makeTestClock } from '../../support/test-clock.js'

const clock = makeTestClock()
const questionService = useQuestionService(() => ({ clock }))

/** Returns a function that allows a client whose code is never redeemed. */
async function makeAllow(person: SignedInPerson) {
  const { address } = await consentAddress(questionService.running)
  const sent = await fetch(address, { redirect: 'manual' })
  const request = Object.fromEntries(new URLSearchParams(pageQueryOf('authorize', sent)))
  const { organizationId } = questionService.running
  const body = { request, organizationId, decision: 'allow' }
  return () => person.call('POST', '/api/v1/Me/mcp-grant', { body })
}

const grantsOf = ({ person }: SignedInPerson) =>
  questionService.running.service.database.stores.mcpGrants.countOf(person.id)

test('a grant whose code was not redeemed expires with its code, and other grants stay [MCP-14]', async () => {
  const builder = await signedIn(questionService.running, 'builder', clock)
  const allow = await makeAllow(builder)
  const { renew } = await obtainTokens(questionService.running, builder)
  for (const _ of [1, 2, 3]) expect((await allow()).status).toBe(200)
  expect(await grantsOf(builder)).toBe(4)
  clock.advance(61_000)
  expect((await allow()).status).toBe(200)
  expect(await grantsOf(builder)).toBe(2)
  expect((await renew()).access_token).toMatch(/^prt_/)
})

test('a person has at most 100 grants, even under concurrent requests [MCP-14]', async () => {
  const builder = await signedIn(questionService.running, 'builder', clock)
  const allow = await makeAllow(builder)
  const answers = await Promise.all(Array.from({ length: 110 }, allow))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(100)
  expect(statuses.filter((status) => status === 409)).toHaveLength(10)
  expect(await grantsOf(builder)).toBe(100)
  const other = await signedIn(questionService.running, 'builder', clock)
  expect((await (await makeAllow(other))()).status).toBe(200)
  clock.advance(61_000)
  expect((await allow()).status).toBe(200)
})
