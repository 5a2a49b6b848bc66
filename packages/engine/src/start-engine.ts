import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import type { AudioClip } from './audio/pcm.js'
import { answerPlainRequest, type EngineGate, rejectUpgrade } from './handshake.js'
import type { Outcome } from './runtime/outcome.js'
import { serveClient } from './serve-client.js'
import type { EngineParts } from './session/engine-parts.js'
import { SessionOwners } from './session-owners.js'
import type { RuntimeChoice } from './speech-to-text/moonshine.js'
import type { SpeechToText } from './speech-to-text/speech-to-text.js'
import { demoTextModel } from './text-model/demo-text-model.js'
import type { TextModel } from './text-model/text-model.js'
import type { Sentence, TextToSpeech } from './text-to-speech/text-to-speech.js'
import { startEngineWorkers } from './workers/engine-workers.js'

export interface EngineOptions {
  readonly host?: string
  /** 0 picks a free port. */
  readonly port: number
  /** The bearer token that clients must send. Null accepts every client, so use it only on a loopback address. */
  readonly secret: string | null
  /** Receives a log line when a model is loaded. */
  readonly log?: (line: string) => void
  /** Defaults to the demo model. */
  readonly textModel?: TextModel
  /** Returns the text model for one client, chosen by its handshake. Null selects the shared model. */
  readonly textModelFor?: (handshake: IncomingMessage) => TextModel | null
  /** Defaults to a model on this machine. */
  readonly speechToText?: SpeechToText
  /** Defaults to a model on this machine. */
  readonly textToSpeech?: TextToSpeech
  /** The runtime of the recognizer. Defaults to the native library if it loads. */
  readonly runtime?: RuntimeChoice
  /**
   * Called when the recognizer is loaded. If the engine runs in a thread that may end, a long-lived thread must call
   * `keepNativeLibrary` then.
   */
  readonly onHearing?: () => void
  readonly maxSessions?: number
  /** By default, one owner may have all of them. */
  readonly maxSessionsPerOwner?: number
  /** Returns the owner of a client. Owners take turns and share the capacity. By default each client is its own owner. */
  readonly ownerOf?: (handshake: IncomingMessage) => string
  /** How many jobs may wait for each worker before clients get a rate limit error. */
  readonly maxWaitingJobs?: number
  readonly maxSessionSeconds?: number
}

export interface Engine {
  /** The WebSocket URL, without the model. */
  readonly url: string
  /** Loads all models in the background, so that the first caller does not wait for them. */
  prepare(): void
  /** Synthesizes a sentence without a session. */
  speak(sentence: Sentence): Promise<Outcome<AudioClip>>
  /** Ends every session. May be called twice. Must be awaited before the process exits, so that models shut down cleanly. */
  close(): Promise<void>
}

const realtimePath = '/v1/realtime'
const maxMessageBytes = 16 * 1024 * 1024

/** Starts a realtime provider. It is ready immediately, because models are loaded on first use. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const log = options.log ?? (() => undefined)
  const { host = '127.0.0.1', port, maxSessions = 64, maxWaitingJobs = 16, runtime = 'auto' } = options
  const workers = startEngineWorkers({
    runtime,
    maxWaiting: maxWaitingJobs,
    onProgress: log,
    ...(options.onHearing && { onHearing: options.onHearing }),
  })
  const textModel = options.textModel ?? demoTextModel()
  const partsOf = (owner: string): EngineParts => {
    const own = workers.ownedBy(owner)
    return {
      voiceActivity: own.voiceActivity,
      speechToText: options.speechToText ?? own.speechToText,
      textToSpeech: options.textToSpeech ?? own.textToSpeech,
      textModel,
      capacity: workers.capacity,
    }
  }
  const owners = new SessionOwners(options.ownerOf, options.maxSessionsPerOwner ?? maxSessions)
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    // The library would buffer a pong for each ping of a client that does not read.
    autoPong: false,
    // Browsers also send their key as a subprotocol. It must not be echoed.
    handleProtocols: (offered) => (offered.has('realtime') ? 'realtime' : false),
  })
  const gate: EngineGate = {
    path: realtimePath,
    secret: options.secret,
    hasRoom: (handshake) => sockets.clients.size < maxSessions && owners.hasRoomFor(handshake),
  }
  const server = listenFor(sockets, gate, (socket, model, handshake) => {
    const owner = owners.add(handshake)
    socket.once('close', () => owners.remove(owner))
    const parts = partsOf(owner)
    const ownModel = options.textModelFor?.(handshake) ?? parts.textModel
    serveClient(socket, { ...parts, textModel: ownModel }, model, options.maxSessionSeconds ?? 3600)
  })
  await listen(server, host, port)
  const { port: actualPort } = server.address() as AddressInfo
  let closing: Promise<void> | null = null
  return {
    url: `ws://${host.includes(':') ? `[${host}]` : host}:${actualPort}${realtimePath}`,
    prepare: () => {
      const parts = partsOf('')
      parts.voiceActivity.prepare?.()
      parts.speechToText.prepare?.()
      parts.textModel.prepare?.()
      parts.textToSpeech.prepare?.()
    },
    speak: (sentence) => partsOf('').textToSpeech.speak(sentence),
    close: () => {
      closing ??= closeAll(server, sockets, [workers.close()])
      return closing
    },
  }
}

type Serve = (socket: WebSocket, model: string, handshake: IncomingMessage) => void

function listenFor(sockets: WebSocketServer, gate: EngineGate, serve: Serve): Server {
  const server = createServer((request, response) => answerPlainRequest(gate, request, response))
  server.on('upgrade', (request, socket, head) => {
    const model = new URL(request.url ?? '/', 'http://engine').searchParams.get('model') ?? ''
    if (rejectUpgrade(gate, request, socket, model)) return
    sockets.handleUpgrade(request, socket, head, (client) => serve(client, model, request))
  })
  return server
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

async function closeAll(
  server: Server,
  sockets: WebSocketServer,
  others: readonly Promise<void>[],
): Promise<void> {
  for (const client of sockets.clients) client.close(1001, 'The engine is closing.')
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // A client that does not answer the close frame must not keep the process alive.
  const patience = setTimeout(() => {
    for (const client of sockets.clients) client.terminate()
  }, 1000)
  await Promise.all([closed, ...others])
  clearTimeout(patience)
}
