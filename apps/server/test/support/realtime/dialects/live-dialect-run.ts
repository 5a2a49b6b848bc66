import { LiveDialect } from '#server/adapters/openai-live/live-dialect.js'
import { collectEvents } from './emitted-events.js'
import { serveLive } from './live-server.js'

/** The configuration of a session, as the service sends it. */
export const liveUpdate = {
  type: 'session.update',
  event_id: 'svc_1',
  session: {
    type: 'realtime',
    model: 'gpt-live-1',
    instructions: 'Be brief.',
    audio: {
      input: { format: { type: 'audio/pcm', rate: 24_000 } },
      output: { format: { type: 'audio/pcm', rate: 24_000 }, voice: 'alloy' },
    },
    tools: [{ type: 'function', name: 'clock', description: 'Time.', parameters: { type: 'object' } }],
    tool_choice: 'auto',
  },
}

/** A dialect and a strict server, without a socket between them. */
export function startLiveDialect(
  options: { readonly items?: readonly object[]; readonly update?: object; readonly expiresIn?: number } = {},
) {
  const events = collectEvents()
  const refusals: string[] = []
  const closes: string[] = []
  let now = 0
  let toServer: (data: unknown) => void = () => undefined
  const fromServer: object[] = []
  const frames: { readonly server: object[]; readonly client: object[] } = { server: [], client: [] }
  const live = serveLive(
    {
      send: (event) => {
        const frame = JSON.parse(JSON.stringify(event)) as object
        frames.server.push(frame)
        fromServer.push(frame)
      },
      socket: { on: (_, listener) => (toServer = listener), close: () => undefined },
    },
    { expiresInSeconds: options.expiresIn ?? 7200 },
  )
  const dialect = new LiveDialect({
    opening: { update: options.update ?? liveUpdate, items: options.items ?? [] },
    backendModel: 'gpt-5-mini',
    wallTime: () => Math.floor(Date.now() / 1000) * 1000,
    output: {
      emit: events.emit,
      send(message) {
        const text = typeof message === 'string' ? message : JSON.stringify(message)
        frames.client.push(JSON.parse(text) as object)
        toServer(text)
      },
      confirm: () => undefined,
      refuse: (reason, detail) => void refusals.push(`${reason}: ${detail}`),
      reconnect: () => undefined,
      close: (code, reason) => void closes.push(`${code} ${reason}`),
    },
  })
  const deliver = () => {
    for (const message of fromServer.splice(0)) dialect.handle(message as Record<string, unknown>, now)
  }
  const pass = (milliseconds: number) => {
    const end = now + milliseconds
    for (;;) {
      const at = dialect.nextTickAt
      if (at === null || at > end) break
      now = Math.max(now, at)
      dialect.tick(now)
      deliver()
    }
    now = end
  }
  /** Plays output in real time. */
  const play = (frames: number, isLoud: boolean) => {
    for (let frame = 0; frame < frames; frame += 1) {
      pass(100)
      if (isLoud) live.speak(1)
      else live.beQuiet(1)
      deliver()
    }
  }
  dialect.opened()
  deliver()
  return {
    ...{ dialect, live, events, frames, refusals, closes, pass, play, deliver },
    receive: (event: Record<string, unknown>) => {
      dialect.receive(event, now)
      deliver()
    },
    now: () => now,
  }
}
