import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { newVisitor } from '../browser/browser.js'
import { closeAfterwards } from '../close-afterwards.js'
import type { RealtimeTestService } from '../realtime/realtime-service.js'

const sdk = new URL('../../../../../packages/sdk/', import.meta.url)
const sdkFile = (path: string) => fileURLToPath(new URL(path, sdk))

/** Bundles the browser builds. Returns the gzipped size of each file. */
export async function bundleForPages(): Promise<ReadonlyMap<string, number>> {
  const { stdout } = await promisify(execFile)(process.execPath, [sdkFile('scripts/bundle.mjs'), '--sizes'])
  return new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' '))
      .map(([name = '', size]) => [name, Number(size)]),
  )
}

/**
 * An audio worklet at the speaker output. It measures how long the sound was loud, and when it became silent.
 */
const tap = `
class Tap extends AudioWorkletProcessor {
  #loud = 0
  #quiet = 0
  process([input]) {
    const samples = input[0] ?? []
    for (const sample of samples) {
      if (Math.abs(sample) > 0.001) { this.#loud += this.#quiet < 480 ? 1 + this.#quiet : 1; this.#quiet = 0 }
      else if (this.#loud > 0 && this.#quiet < 1e9) this.#quiet += 1
    }
    this.port.postMessage({ loudMilliseconds: (this.#loud * 1000) / sampleRate, isQuiet: this.#quiet > 96 })
    return true
  }
}
registerProcessor('tap', Tap)`

const tapSpeaker = `
globalThis.heard = { loudMilliseconds: 0, silentAt: null }
const connect = AudioNode.prototype.connect
AudioNode.prototype.connect = function (target, ...rest) {
  if (target instanceof AudioDestinationNode) {
    const { context } = this
    const url = URL.createObjectURL(new Blob([${JSON.stringify(tap)}], { type: 'text/javascript' }))
    context.audioWorklet.addModule(url).then(() => {
      const node = new AudioWorkletNode(context, 'tap', { numberOfOutputs: 0 })
      node.port.onmessage = ({ data }) => {
        heard.loudMilliseconds = data.loudMilliseconds
        heard.silentAt = data.isQuiet ? (heard.silentAt ?? performance.now()) : null
      }
      connect.call(this, node)
    })
  }
  return connect.call(this, target, ...rest)
}`

export interface PageOptions {
  readonly policy?: string
  readonly agentId?: string
  /** HTML of the page's body. */
  readonly body?: string
  /** Additional scripts of the page, by name. */
  readonly scripts?: Readonly<Record<string, string>>
}

/**
 * Opens a page that can load the SDK. Its function \`takeTicket\` and its backend at \`/session\` request
 * tickets from the service.
 */
export async function openVoicePage(
  running: RealtimeTestService,
  { policy, agentId, body: html = '', scripts = {} }: PageOptions = {},
): Promise<Page> {
  const visitor = await newVisitor()
  const files: Record<string, readonly [type: string, body: string]> = {
    '': ['text/html', `<!doctype html><html lang="en"><title>Voice</title><main>${html}</main>`],
    'realtime.js': ['text/javascript', await readFile(sdkFile('dist/browser/realtime.js'), 'utf8')],
    'parley-agent.js': ['text/javascript', await readFile(sdkFile('dist/browser/parley-agent.js'), 'utf8')],
    'audio.worklet.js': ['text/javascript', await readFile(sdkFile('audio.worklet.js'), 'utf8')],
  }
  for (const [name, code] of Object.entries(scripts)) files[name] = ['text/javascript', code]
  // Must be a real server on this machine: browsers block requests from remote pages to local addresses.
  const server = createServer(async ({ url = '/', method }, response) => {
    if (method === 'POST') return void response.end(JSON.stringify(await running.createTicket({}, agentId)))
    const [type, body] = files[url.slice(1)] ?? ['text/plain', '']
    if (policy !== undefined) response.setHeader('Content-Security-Policy', policy)
    response.setHeader('Content-Type', type).end(body)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  closeAfterwards(() => {
    server.close()
    server.closeAllConnections()
  })
  if (policy === undefined) await visitor.addInitScript(tapSpeaker)
  const page = await visitor.newPage()
  await page.exposeFunction('takeTicket', ({ conversationId }: { conversationId: string | null }) =>
    running.createTicket({ conversationId }, agentId),
  )
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : null
  await page.goto(`http://127.0.0.1:${port}/`)
  return page
}

/** Starts a voice in the page as \`voice\`. The options are JavaScript source. */
export async function startVoiceIn(page: Page, url: string, options = ''): Promise<void> {
  await page.evaluate(`import('/realtime.js').then(({ startVoice }) => {
    globalThis.raw = []
    globalThis.voice = startVoice({ ticket: (request) => takeTicket(request), url: ${JSON.stringify(url)}, ${options} })
    voice.on('raw', (event) => raw.push([performance.now(), event.type]))
  })`)
}
