import type { Agent } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiClient, makeApiClient } from '../../support/api-client.js'
import {
  bootstrap,
  cleanUp,
  credentials,
  newPostgres,
  startParley,
} from '../../support/process/parley-process.js'
import { makePerson, type Person } from '../../support/speech/person.js'
import { loadRecogniserHere, type RecogniserHere } from '../../support/speech/recogniser-here.js'
import { SpokenSession, silenceOf } from '../../support/speech/spoken-session.js'

const timeout = 240_000
const sessionCount = 2
/** More of them take longer and are no longer at a stretch. */
const maxRecognitionsHere = 2
/** Longer speech takes longer at a stretch: this is what would be felt. */
const question =
  'Please search the manual for winter tires and tell me when I have to change them, ' +
  'because the snow may fall early this year.'

let url: string
let client: ApiClient
let person: Person
let recogniser: RecogniserHere

beforeAll(async () => {
  person = makePerson()
  recogniser = await loadRecogniserHere()
  const service = await startParley({ env: { ...bootstrap, ...(await newPostgres()) } })
  url = await service.ready()
  client = makeApiClient(url, credentials)
}, timeout)

afterAll(async () => {
  await cleanUp()
})

/** How long the service's event loop was kept at most since it was last asked, in milliseconds. */
async function longestStall(): Promise<number> {
  const { text } = await client.call('GET', '/metrics')
  const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1]
  if (seconds === undefined) throw new Error('The service does not tell how long its event loop was kept.')
  return Number(seconds) * 1000
}

/*
 * Side by side, in the same seconds and on the same machine: the service hears, thinks and speaks for several people,
 * and this process recognises the same sound on the thread that it must not be done on. Whatever else the machine does,
 * it does to both; what was moved to the service's own thread would keep it as long as it keeps this one.
 */
test('the service is never kept waiting by the engine, whatever people say [ENG-11]', {
  timeout,
}, async () => {
  const agents = await client.call<{ items: Agent[] }>('GET', '/api/v1/Agent')
  const agentId = agents.body.items[0]?.id ?? ''
  const sound = await person.speak(question, 'ash')
  const talks = async (session: SpokenSession) => {
    session.startSaying(Buffer.concat([sound, silenceOf(6000)]))
    const answer = await session.hearAnswer()
    expect(answer.status).toBe('completed')
    expect(answer.sound.samples.length).toBeGreaterThan(0)
  }
  const opened = Array.from({ length: sessionCount }, () => SpokenSession.open({ url, client }, agentId))
  const sessions = await Promise.all(opened)
  // What loads the models is under way when this begins, and counts.
  await longestStall()
  let areTalking = true
  const talking = Promise.all(sessions.map(talks)).finally(() => {
    areTalking = false
  })
  const stallsHere: number[] = []
  while (areTalking && stallsHere.length < maxRecognitionsHere)
    stallsHere.push(await recogniser.stallOf(sound))
  await talking
  const stallThere = await longestStall()
  const stallHere = Math.max(...stallsHere)
  expect(stallHere, 'recognition must be long enough to be noticed').toBeGreaterThan(100)
  expect(stallThere, `beside ${stallHere} ms here`).toBeLessThan(stallHere / 3)
  for (const session of sessions) await session.close()
})
