import { setTimeout as sleep } from 'node:timers/promises'
import { describeTable } from '@parley/stage/terminal/table'
import { processTimes } from '@parley/stage/voice/browser'
import { startVoiceStage, type VoiceStage } from '@parley/stage/voice/voice-stage'
import type { Page } from 'playwright-core'

export interface VoiceBenchOptions {
  /** The number of times that a voice client starts. */
  readonly starts: number
  /** The duration of the processor measurement. */
  readonly seconds: number
}

/** Milliseconds after \`connect()\`. */
interface Start {
  readonly ticket: number
  readonly ready: number
  readonly firstAudio: number
  readonly firstSound: number
}

const parts: readonly (readonly [keyof Start, string])[] = [
  ['ticket', 'the backend has returned a session'],
  ['ready', 'the agent listens'],
  ['firstAudio', 'the first audio has arrived'],
  ['firstSound', 'the first sound leaves the page'],
]

/** Measures the cost of a voice client for a page: the time to first audio, and the processor while both sides talk. */
export async function runVoiceBench({ starts, seconds }: VoiceBenchOptions): Promise<void> {
  const stage = await startVoiceStage()
  try {
    const { page } = await stage.openPage()
    const [first, ...others] = await measureStarts(page, starts)
    console.log(describeStarts(first, others))
    await page.close()
    const rows = [
      ['a page that does nothing', ...(await measureLoad(stage, '', seconds))],
      ['the realtime client', ...(await measureLoad(stage, "sdk.connect({ ticket: '/session' })", seconds))],
      ['the element', ...(await measureLoad(stage, startElement, seconds))],
    ]
    console.log(
      `\n${describeTable([['percent of a core', 'page', 'its main thread', 'sound service'], ...rows])}`,
    )
  } finally {
    await stage.close()
  }
}

const startElement = `{
  const agent = document.createElement('parley-agent')
  agent.setAttribute('ticket-url', '/session')
  document.body.append(agent)
  agent.start()
}`

async function measureStarts(page: Page, count: number): Promise<Start[]> {
  const measured: Start[] = []
  for (let done = 0; done < count; done += 1)
    measured.push(
      await page.evaluate<Start>(`(async () => {
        soundAt = null
        const startedAt = performance.now()
        const since = () => performance.now() - startedAt
        const start = {}
        const ticket = async () => {
          const reply = await fetch('/session', { method: 'POST' })
          const body = await reply.json()
          start.ticket = since()
          return body
        }
        const voice = sdk.startVoice({ ticket })
        voice.on('audio', () => { start.firstAudio ??= since() })
        await voice.ready
        start.ready = since()
        while (soundAt === null) await new Promise((resolve) => setTimeout(resolve, 5))
        start.firstSound = soundAt - startedAt
        await voice.close()
        return start
      })()`),
    )
  return measured
}

/** The page's share of a core while it talks. */
async function measureLoad(stage: VoiceStage, begin: string, seconds: number): Promise<string[]> {
  const { page, session } = await stage.openPage({ isListenedTo: false })
  await session.send('Performance.enable')
  const mainSeconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
  await page.evaluate(begin)
  await sleep(3000)
  const [before, mainBefore] = [await processTimes(stage.browserSession), await mainSeconds()]
  await sleep(seconds * 1000)
  const [after, mainAfter] = [await processTimes(stage.browserSession), await mainSeconds()]
  await page.close()
  return [
    after.pageSeconds - before.pageSeconds,
    mainAfter - mainBefore,
    after.soundSeconds - before.soundSeconds,
  ].map((used) => ((used / seconds) * 100).toFixed(1))
}

function describeStarts(first: Start | undefined, others: readonly Start[]): string {
  const rows = parts.map(([part, name]) => {
    const sorted = others.map((start) => start[part]).sort((one, other) => one - other)
    const figures = [first?.[part], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
    return [name, ...figures.map((value) => value?.toFixed(0) ?? '')]
  })
  return describeTable([['ms after connect()', 'first', 'p50 of the others', 'slowest'], ...rows])
}
