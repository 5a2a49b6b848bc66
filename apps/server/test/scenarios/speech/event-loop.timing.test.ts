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
import { loadRecogniserOnThread, type RecogniserOnThread } from '../../support/speech/recogniser-on-thread.js'
import { SpokenSession, silenceOf } from '../../support/speech/spoken-session.js'

const timeout = 240_000
const sessionCount = 2
/** More of them take longer without a longer stall. */
const maxLocalRecognitions = 2
/** Longer speech causes a longer stall, which makes a blocked event loop visible. */
const question =
  'Please search the manual for winter tires and tell me when I have to change them, ' +
  'because the snow may fall early this year.'

let url: string
let client: ApiClient
let person: Person
let recogniser: RecogniserOnThread

beforeAll(async () => {
  person = makePerson()
  recogniser = await loadRecogniserOnThread()
  const service = await startParley({ env: { ...bootstrap, ...(await newPostgres()) } })
  url = await service.ready()
  client = makeApiClient(url, credentials)
}, timeout)

afterAll(async () => {
  await cleanUp()
})

/** Returns the longest stall of the service's event loop since the last call, in milliseconds. */
async function longestStall(): Promise<number> {
  const { text } = await client.call('GET', '/metrics')
  const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1]
  if (seconds === undefined) throw new Error('The metric of the longest event-loop stall is missing.')
  return Number(seconds) * 1000
}

/*
 * Both run at the same time on the same machine. The service hears, thinks and speaks for several people.
 * This process recognizes the same sound on its main thread, which must not be used for that. Other load
 * affects both. Work on the service's main thread would block it as long as it blocks this one.
 */
test("the engine never blocks the service's event loop, whatever people say [ENG-11]", {
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
  // The models are still loading when this starts, which counts too.
  await longestStall()
  let areTalking = true
  const talking = Promise.all(sessions.map(talks)).finally(() => {
    areTalking = false
  })
  const localStalls: number[] = []
  while (areTalking && localStalls.length < maxLocalRecognitions)
    localStalls.push(await recogniser.measureStall(sound))
  await talking
  const serviceStall = await longestStall()
  const localStall = Math.max(...localStalls)
  expect(localStall, 'recognition must be long enough to be noticed').toBeGreaterThan(100)
  expect(serviceStall, `beside ${localStall} ms here`).toBeLessThan(localStall / 3)
  for (const session of sessions) await session.close()
})
