import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket } from 'ws'
import { closeAfterwards } from '../close-afterwards.js'
import { FrameInbox } from '../realtime/frame-inbox.js'

export const authToken = 'a-twilio-auth-token'

type Form = Readonly<Record<string, string>>

/** A request that the service has sent to Twilio's API. */
export interface ApiCall {
  readonly path: string
  readonly authorization: string
  readonly form: URLSearchParams
}

/** A media stream of one call, as Twilio speaks it. */
export interface MediaStream {
  readonly inbox: FrameInbox
  readonly socket: WebSocket
  /** Sends sound of the other party, in mu-law. */
  speak(sound: Buffer): void
  press(digit: string): void
  /** Confirms that everything before this mark was played. */
  played(mark: string): void
  /** Returns the next message with this event, and skips those before it. */
  take(event: string): Promise<{ readonly mark?: { readonly name: string } }>
  stop(): void
}

export interface ScriptedTwilio {
  readonly baseUrl: string
  readonly calls: readonly ApiCall[]
  /** Returns the next request of the service to the API. */
  nextCall(): Promise<ApiCall>
  /** The status of the answers to requests from now on. The default is 201. */
  answerWith(status: number): void
  /** Gives no answers to requests from now on, or answers again. */
  keepSilent(isSilent: boolean): void
  /** Sends a signed webhook. */
  send(url: string, form: Form, signature?: string): Promise<{ status: number; text: string }>
  /** Opens the media socket that the service has asked for. */
  stream(target: { readonly url: string; readonly token: string }, callSid: string): Promise<MediaStream>
  close(): Promise<void>
}

/** Signs as Twilio documents it: the URL, then each name with its value, sorted. */
export function signTwilio(url: string, form: Form = {}): string {
  const fields = Object.keys(form)
    .sort()
    .map((name) => `${name}${form[name]}`)
  return createHmac('sha1', authToken)
    .update([url, ...fields].join(''))
    .digest('base64')
}

/** Returns the stream that markup asks for. */
export function streamIn(markup: string): { url: string; token: string } {
  const url = /<Stream url="([^"]+)"/.exec(markup)?.[1]
  const token = /<Parameter name="token" value="([^"]+)"/.exec(markup)?.[1]
  if (url === undefined || token === undefined) throw new Error(`The markup has no stream: ${markup}`)
  return { url, token }
}

export async function startScriptedTwilio(): Promise<ScriptedTwilio> {
  const twilio = await listen()
  return { ...twilio, close: closeAfterwards(twilio.close) }
}

async function listen(): Promise<ScriptedTwilio> {
  const calls: ApiCall[] = []
  let taken = 0
  let arrived: () => void = () => undefined
  let status = 201
  let isSilent = false
  const server = createServer(async (request, response) => {
    calls.push(await apiCallOf(request))
    arrived()
    if (isSilent) return
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ sid: `CA${calls.length}`, message: 'Refused.', code: 20003 }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async nextCall() {
      while (calls.length <= taken)
        await new Promise<void>((resolve) => {
          arrived = resolve
        })
      taken += 1
      return calls[taken - 1] as ApiCall
    },
    answerWith(next) {
      status = next
    },
    keepSilent(next) {
      isSilent = next
    },
    async send(url, form, signature = signTwilio(url, form)) {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'x-twilio-signature': signature },
        body: new URLSearchParams(form),
      })
      return { status: answer.status, text: await answer.text() }
    },
    stream: openStream,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

let shared: Promise<ScriptedTwilio> | null = null

/** Returns a scripted Twilio for all tests of a file, for those that only need its answers. */
export function sharedTwilio(): Promise<ScriptedTwilio> {
  shared ??= listen()
  return shared
}

async function apiCallOf(request: IncomingMessage): Promise<ApiCall> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  const { url = '', headers } = request
  return { path: url, authorization: headers.authorization ?? '', form: new URLSearchParams(body) }
}

async function openStream(
  { url, token }: { readonly url: string; readonly token: string },
  callSid: string,
): Promise<MediaStream> {
  const socket = new WebSocket(url, { headers: { 'x-twilio-signature': signTwilio(url) } })
  const inbox = new FrameInbox(socket)
  await once(socket, 'open')
  const streamSid = `MZ-${callSid}`
  const send = (event: string, fields: object) => socket.send(JSON.stringify({ event, streamSid, ...fields }))
  send('connected', { protocol: 'Call', version: '1.0.0' })
  const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 }
  send('start', { start: { streamSid, callSid, customParameters: { token }, mediaFormat } })
  return {
    inbox,
    socket,
    speak: (sound) =>
      send('media', { media: { track: 'inbound', chunk: '1', payload: sound.toString('base64') } }),
    press: (digit) => send('dtmf', { dtmf: { track: 'inbound_track', digit } }),
    played: (name) => send('mark', { mark: { name } }),
    async take(event) {
      for (;;) {
        const message = await inbox.takeJson()
        if (message.event === event) return message
      }
    },
    stop: () => send('stop', { stop: { callSid } }),
  }
}
