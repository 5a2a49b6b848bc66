// Sends a recording to an agent, then the typed text, and prints the answers:
// node talk-from-wav.mjs question.wav "and typed" (16 bit, mono, 24 000 samples per second).
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { Parley } from '@parley/sdk'
import { connect } from '@parley/sdk/realtime'

const missing = ['PARLEY_URL', 'PARLEY_ORG_ID', 'PARLEY_API_KEY', 'PARLEY_AGENT_ID'].filter(
  (name) => !process.env[name],
)
if (missing.length > 0) {
  console.error(`Set the environment variables ${missing.join(', ')} (see README.md).`)
  process.exit(1)
}

const { PARLEY_URL, PARLEY_ORG_ID, PARLEY_API_KEY, PARLEY_AGENT_ID } = process.env
const chunkSamples = 960 // 40 ms

const parley = new Parley({ baseUrl: PARLEY_URL, organizationId: PARLEY_ORG_ID, apiKey: PARLEY_API_KEY })
const voice = await connect({
  url: PARLEY_URL,
  ticket: ({ conversationId, clientTools }) =>
    parley.realtimeSessions.create(PARLEY_AGENT_ID, { conversationId, clientTools }),
  onApproval: ({ call }) => {
    process.stdout.write(`approved: ${call?.title}\n`)
    return true
  },
})

let soundSamples = 0
let loudest = 0
let answers = 0
voice.on('audio', ({ samples }) => {
  soundSamples += samples.length
  loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), loudest)
})
voice.on('message', ({ role, text, isFinal }) => {
  if (isFinal) process.stdout.write(`${role}: ${text}\n`)
  if (isFinal && role === 'assistant') answers += 1
})

const [, , file, ...typed] = process.argv
const wav = await readFile(file)
const question = Int16Array.from({ length: (wav.length - 44) / 2 }, (_, place) =>
  wav.readInt16LE(44 + place * 2),
)
// Then silence, as from an open microphone, so that the end of speech is detected.
for (let start = 0; answers === 0 || voice.getState().phase !== 'listening'; start += chunkSamples) {
  const words = question.subarray(start, start + chunkSamples)
  const chunk = new Int16Array(chunkSamples)
  chunk.set(words)
  voice.sendAudio(chunk)
  await wait(40)
}
for (const text of typed) {
  const before = answers
  await voice.sendText(text)
  while (answers === before) await wait(40)
}
process.stdout.write(
  `sound: ${(soundSamples / 24_000).toFixed(1)} s, loudest ${(loudest / 32_768).toFixed(2)}\n`,
)
await voice.close()
