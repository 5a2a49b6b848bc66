import type { Agent, PhoneCall, PhoneConnection } from '@parley/contract'
import { expect, test } from 'vitest'
import {
  speakOnTelephone,
  understandTelephone,
} from '../../../../../packages/engine/test/support/telephone-voice.js'
import { Baresip } from '../../../../../packages/telephone/test/support/programs/baresip.js'
import { decodeMuLaw, encodeSpeech } from '../../../../../packages/telephone/test/support/programs/wav.js'
import { messagesOf } from '../../support/realtime/spoken-turns.js'
import { findFreePort } from '../../support/services/free-port.js'
import { plainWords } from '../../support/speech/words.js'
import { startService } from '../../support/start-service.js'
import { callerNumber, createIn, ownNumber } from '../../support/telephone/sip-service.js'

const patiently = { timeout: 100_000, interval: 100 }
const samplesPerSecond = 8000

/** A question after the greeting of the agent. */
async function laterQuestion(text: string): Promise<Int16Array> {
  const question = decodeMuLaw(await speakOnTelephone(text, 'ash'))
  const samples = new Int16Array(samplesPerSecond * 5 + question.length)
  samples.set(question, samplesPerSecond * 5)
  return samples
}

/** Returns the parts of the sound that a second of silence separates. */
function sentencesIn(sound: Int16Array): Int16Array[] {
  const parts: Int16Array[] = []
  let [start, lastLoud] = [-1, -1]
  for (const [index, sample] of sound.entries()) {
    if (Math.abs(sample) < 300) continue
    if (start >= 0 && index - lastLoud > samplesPerSecond) {
      parts.push(sound.subarray(start, lastLoud))
      start = index
    }
    if (start < 0) start = index
    lastLoud = index
  }
  return start < 0 ? parts : [...parts, sound.subarray(start, lastLoud)]
}

test('baresip asks the built-in engine, and both understand each other [TEL-61]', {
  timeout: 200_000,
}, async () => {
  const says = await laterQuestion('What is the weather in Paris?')
  const address = `sip:${callerNumber}@127.0.0.1:${await findFreePort()}`
  const [baresip, localPort] = [await Baresip.start({ address, says }), await findFreePort()]
  const running = await startService({ env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } })
  const agent = await createIn<Agent>(running, 'Agent', {
    name: 'Desk',
    systemMessage: 'You are the front desk of a hotel. The weather in Paris is sunny and warm.',
  })
  const line = await createIn<PhoneConnection>(running, 'PhoneConnection', {
    name: 'Baresip',
    kind: 'sip',
    accountId: 'parley',
    secret: 'secret',
    sip: { host: '127.0.0.1', port: baresip.port, registers: false, localPort },
  })
  await createIn(running, 'PhoneNumber', {
    name: 'Desk',
    number: ownNumber,
    phoneConnectionId: line.id,
    agentId: agent.id,
    greeting: 'Good day, this is the hotel.',
  })
  const read = async <Body>(path: string) => (await running.client.call<Body>('GET', `/api/v1/${path}`)).body
  const stateOf = async () => (await read<PhoneConnection>(`PhoneConnection/${line.id}`)).state
  await expect.poll(stateOf, patiently).toBe('ready')

  baresip.command('dial', `sip:${ownNumber}@127.0.0.1:${localPort}`)
  const newest = async () => (await read<{ items: PhoneCall[] }>('PhoneCall?Limit=1')).items[0]
  await expect.poll(async () => (await newest())?.state, patiently).toBe('active')
  const conversationId = (await newest())?.conversationId ?? ''
  const words = async (wanted: string) =>
    (await messagesOf(running.client, conversationId))
      .filter(({ role }) => role === wanted)
      .map(({ content }) => plainWords(content))
  await expect.poll(() => words('user'), patiently).toEqual(['what is the weather in paris'])
  const heard = async () => {
    const sentences = sentencesIn(await baresip.heard()).map((sound) =>
      understandTelephone(encodeSpeech(sound)),
    )
    return plainWords((await Promise.all(sentences)).join(' '))
  }
  await expect.poll(() => words('assistant'), patiently).toHaveLength(2)
  // The message is stored before its last words were played.
  await expect.poll(heard, { timeout: 60_000, interval: 2000 }).toMatch(/this is the hotel.*sunny and warm/)
  baresip.command('hangup')
  await expect.poll(async () => (await newest())?.endReason, patiently).toBe('hung_up')
  await running.close()
})
