import type { Agent, PhoneConnection } from '@parley/contract'
import { encodeMuLaw, resampleClip, samplesFromBytes, startEngineWorkers } from '@parley/engine'
import { type ParleyService, startParley } from '@parley/stage/service/parley-service'
import { makeSpeakingAgents } from '@parley/stage/service/speaking-agents'
import { quantile } from '@parley/stage/terminal/figures'
import { describeTable } from '@parley/stage/terminal/table'
import { instructions, speakQuestions, wireRate } from '../engine/questions.js'
import { type CarrierStandIn, startCarrier } from './carrier-stand-in.js'
import { endOfQuestion, interruption, startPromptProvider } from './prompt-provider.js'
import type { TelephoneLine } from './telephone-line.js'

export interface TelephoneBenchOptions {
  /** The turns with the provider that answers at once. */
  readonly turns: number
  /** The turns with the built-in engine, which take about 8 seconds each. */
  readonly engineTurns: number
}

interface Lane {
  readonly name: string
  readonly agentId: string
  readonly questions: readonly Buffer[]
  readonly interruption: Buffer
  readonly repliesToInterruption: boolean
  readonly turns: number
  /** The turns that warm up. */
  readonly warmUps: number
}

const telephoneRate = 8000
/** Sound below this level is not speech. */
const audible = 300
/** The target for the silence after the other party begins to speak. */
const maxSilenceMilliseconds = 200

/** Measures how soon a caller hears the answer, and how soon the agent is silent when the caller speaks. */
export async function runTelephoneBench(options: TelephoneBenchOptions): Promise<boolean> {
  const parley = await startParley({ isBundled: true, env: { LOG_LEVEL: 'warn' } })
  const [carrier, provider] = [await startCarrier(), await startPromptProvider()]
  try {
    const lanes = await makeLanes(parley, provider.url, options)
    const rows: string[][] = []
    let isWithinTarget = true
    for (const lane of lanes) {
      const { answers, silences, missing } = await measure(parley, carrier, lane)
      rows.push([lane.name, ...[answers, silences].flatMap(percentiles), `${missing}`])
      if (lane === lanes[0]) isWithinTarget &&= quantile(silences, 0.99) <= maxSilenceMilliseconds
    }
    const head = ['model', 'answer p50 ms', 'answer p99 ms', 'silence p50 ms', 'silence p99 ms', 'missing']
    console.log(describeTable([head, ...rows]))
    return isWithinTarget
  } finally {
    await parley.stop()
    carrier.close()
    provider.close()
  }
}

const percentiles = (values: readonly number[]) =>
  [0.5, 0.99].map((share) => quantile(values, share).toFixed(1))

async function makeLanes(
  { api }: ParleyService,
  providerUrl: string,
  { turns, engineTurns }: TelephoneBenchOptions,
): Promise<Lane[]> {
  const { bench } = await makeSpeakingAgents(api, providerUrl, ['bench'])
  const prompt: Lane = {
    name: `prompt provider, ${turns} turns`,
    agentId: bench,
    turns,
    warmUps: 5,
    interruption,
    repliesToInterruption: false,
    questions: [Buffer.concat([Buffer.alloc(endOfQuestion.length * 9, 0x10), endOfQuestion])],
  }
  if (engineTurns === 0) return [prompt]
  const workers = startEngineWorkers({ runtime: 'auto', maxWaiting: 16, onProgress: () => undefined })
  const questions = (await speakQuestions(workers)).map(onTelephone)
  await workers.close()
  const desk = await api.call<Agent>('POST', '/api/v1/Agent', { name: 'Desk', systemMessage: instructions })
  return [
    prompt,
    {
      name: `built-in engine, ${engineTurns} turns`,
      agentId: desk.id,
      turns: engineTurns,
      warmUps: 2,
      questions,
      repliesToInterruption: true,
      interruption: questions[0] ?? endOfQuestion,
    },
  ]
}

/** Encodes sound of the engine in mu-law, from its first word on. */
function onTelephone(sound: Buffer): Buffer {
  const samples = resampleClip({ samples: samplesFromBytes(sound), rate: wireRate }, telephoneRate)
  return encodeMuLaw(samples.subarray(samples.findIndex((sample) => Math.abs(sample) > audible)))
}

async function measure(parley: ParleyService, carrier: CarrierStandIn, lane: Lane) {
  const line = await call(parley, carrier, lane)
  const [answers, silences]: [number[], number[]] = [[], []]
  let missing = 0
  for (let turn = -lane.warmUps; turn < lane.turns; turn += 1) {
    await line.untilQuiet()
    const question = lane.questions[(turn + lane.warmUps) % lane.questions.length] ?? endOfQuestion
    const answered = await line.ask(question)
    const silent = answered === null ? null : await line.interrupt(lane.interruption)
    if (lane.repliesToInterruption) await line.untilAnswered()
    if (turn < 0) continue
    if (answered === null || silent === null) missing += 1
    if (answered !== null) answers.push(answered)
    if (silent !== null) silences.push(silent)
  }
  await line.hangUp()
  return { answers, silences, missing }
}

/** Calls the agent on a number of its own. */
async function call(
  { api, url }: ParleyService,
  carrier: CarrierStandIn,
  { agentId, name }: Lane,
): Promise<TelephoneLine> {
  const { id } = await api.call<PhoneConnection>('POST', '/api/v1/PhoneConnection', {
    name,
    ...carrier.account,
  })
  await api.call('POST', '/api/v1/PhoneNumber', {
    name,
    number: carrier.number,
    phoneConnectionId: id,
    agentId,
    greeting: 'Good day.',
  })
  return carrier.call(url, id)
}
